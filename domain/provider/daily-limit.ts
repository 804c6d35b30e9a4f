// When to retry a call that reached a daily limit of the provider (docs/provider.md#limits). Pure.
import { endOfSydneyDay, sydneyDayOf } from '../time/sydney.js';
import type { Instant } from '../facts/fact.js';

const HOUR_MS = 60 * 60 * 1000;

/** The texts of these codes mention the last 24 hours. All other limits are per day. */
const PER_24_HOURS: readonly string[] = ['ZPAGR15', 'ZPAGR16'];

/**
 * A time within an hour after the limit resets. The provider does not document the time zone of its days, so we use Sydney's.
 * @param spread from 0 to 1, to avoid many calls at one instant. @param retryAfterMs requested by the provider.
 */
export function dailyLimitEndsAt(
  code: string | undefined,
  now: Instant,
  { spread, retryAfterMs = 0 }: { spread: number; retryAfterMs?: number | undefined },
): Instant {
  const nowMs = Date.parse(now);
  const passesMs =
    code !== undefined && PER_24_HOURS.includes(code)
      ? nowMs + 24 * HOUR_MS
      : Date.parse(endOfSydneyDay(sydneyDayOf(now)) ?? now) + 1;
  return new Date(Math.max(passesMs + Math.round(spread * HOUR_MS), nowMs + retryAfterMs)).toISOString();
}
