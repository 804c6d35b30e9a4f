// How many calls we allow ourselves: one budget for each connection in this process, so that one merchant's rush is no
// other's wait, and the provider (whose limits are unknown, facts 14) seldom has to say that it is too much.
// In:  payments-api/http/send.ts asks for a turn before each call, and tells what pause an answer asks for.
import { createLine } from './queue.js';
import { PaymentsApiError } from '../errors.js';
import type { Line, LineClock, Turn } from './queue.js';
import type { Rate } from './bucket.js';

const SWEEP_EVERY_MS = 60_000;

export interface Budget {
  /**
   * Resolves when the call may go, first come first served.
   * @throws PaymentsApiError `rate_limited` at once where that would take more than 10 s, with `retryAfterMs`;
   *   `unavailable` when the caller gives up in line. Either way nothing was sent.
   */
  turn(connectionId: string, asked: Turn): Promise<void>;
  /** No call goes for that long (0: no pause). Whoever in line would now wait too long is refused at once. */
  pause(connectionId: string, forMs: number): void;
  /** How many connections are remembered: those that called lately, or were told to be silent. */
  size(): number;
}

const REAL_CLOCK: LineClock = {
  now: () => performance.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/** @param rate of each connection: what the provider sees is this times the number of processes. */
export function createBudget({ clock = REAL_CLOCK, ...rate }: Rate & { clock?: LineClock }): Budget {
  const lines = new Map<string, Line>();
  let sweepAtMs = clock.now() + SWEEP_EVERY_MS;

  const lineOf = (connectionId: string): Line => {
    if (clock.now() >= sweepAtMs) {
      for (const [rested, line] of lines) if (line.isRested()) lines.delete(rested);
      sweepAtMs = clock.now() + SWEEP_EVERY_MS;
    }
    const line = lines.get(connectionId) ?? createLine(rate, clock);
    lines.set(connectionId, line);
    return line;
  };
  return {
    turn: (connectionId, asked) => lineOf(connectionId).turn(asked),
    pause: (connectionId, forMs) => {
      if (forMs > 0) lineOf(connectionId).pause(forMs);
    },
    size: () => lines.size,
  };
}

/** For how many milliseconds a call was held back by our own refusal: the provider knows nothing of it. Else nothing. */
export function heldBackMs(error: unknown): number | undefined {
  const isOurs =
    error instanceof PaymentsApiError && error.code === 'rate_limited' && error.status === undefined;
  return isOurs ? error.retryAfterMs : undefined;
}
