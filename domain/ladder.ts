// How long to wait between one look and the next, by what is awaited (design 5). Pure.

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds before each next attempt; the last one repeats. */
export const LADDERS = {
  payer_decision: [15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR],
  overdue: [...Array.from({ length: 48 }, () => 30 * MINUTE), 6 * HOUR],
  action: [5, 15, MINUTE, 5 * MINUTE, 30 * MINUTE, 6 * HOUR],
  payment: [5, 15, 40, 2 * MINUTE, 10 * MINUTE, HOUR],
  adoption: [5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
} as const;
export type LadderName = keyof typeof LADDERS;

/**
 * Milliseconds to wait after the given attempt.
 * @param attempt counts from 1.
 * @param chance from 0 to 1; spreads the waits over ±10 %, so that many agreements do not ask at one instant.
 */
export function waitMs(ladder: LadderName, attempt: number, chance: number): number {
  const rungs = LADDERS[ladder];
  const seconds = rungs[Math.min(attempt, rungs.length) - 1] ?? HOUR;
  return Math.round(seconds * 1000 * (0.9 + 0.2 * chance));
}
