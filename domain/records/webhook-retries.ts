// When an event is sent again to an endpoint that did not take it. Pure.
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After so many failures of one event: the pause. Later ones are as the last. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
/** Each pause differs by at most this part, so that many resources do not return at once. */
const JITTER = 0.1;

/** An event that has failed for so long is set aside. An endpoint at which nothing has succeeded for so long is disabled. */
export const GIVES_UP_AFTER_MS = 72 * HOUR;

/**
 * @param attempts how often the event has failed, at least 1.
 * @param random 0 to 1.
 * @returns milliseconds until the next attempt.
 */
export function webhookPauseMs(attempts: number, random: number): number {
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? 0;
  return Math.round(pauseMs * (1 + JITTER * (2 * random - 1)));
}

/** When an event is tried again: the last time just when it has failed for three days. Times are epoch milliseconds. */
export function nextAttemptAt(
  { attempts, since }: { attempts: number; since: number },
  { now, random }: { now: number; random: number },
): number {
  const at = now + webhookPauseMs(attempts, random);
  const last = since + GIVES_UP_AFTER_MS;
  return last > now ? Math.min(at, last) : at;
}
