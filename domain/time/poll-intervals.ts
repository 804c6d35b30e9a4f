// The poll intervals for each kind of wait, in seconds and in words (docs/agreement.md#polls). Pure.

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds before each next attempt; the last one repeats. */
export const POLL_INTERVALS = {
  payer_decision: [15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR],
  overdue: [...Array.from({ length: 48 }, () => 30 * MINUTE), 6 * HOUR],
  action: [5, 15, MINUTE, 5 * MINUTE, 30 * MINUTE, 6 * HOUR],
  payment: [5, 15, 40, 2 * MINUTE, 10 * MINUTE, HOUR],
  adoption: [5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  late_adoption: [6 * HOUR],
  service: [15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  standing: [24 * HOUR],
  onboarding: [1, 2, 5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  agreement: [1, 2, 5, 10, 20, 40, MINUTE],
  stop: [5, 10, 20, 40, MINUTE],
  denied: [MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR],
  float: [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR],
  credit: [2, 5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  rows: [2, 5, 15, MINUTE, 5 * MINUTE],
} as const;
export type PollIntervalsName = keyof typeof POLL_INTERVALS;

/**
 * Milliseconds to wait after the given attempt.
 * @param attempt counts from 1.
 * @param chance from 0 to 1; spreads the waits over ±10 %, to avoid many calls at one instant.
 */
export function waitMs(pollIntervals: PollIntervalsName, attempt: number, chance: number): number {
  const intervals = POLL_INTERVALS[pollIntervals];
  const seconds = intervals[Math.min(attempt, intervals.length) - 1] ?? HOUR;
  return Math.round(seconds * 1000 * (0.9 + 0.2 * chance));
}

const UNITS = [
  [3600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const;

/** `15 s, 1 m, then every 6 h`; with a repeated interval: `every 30 m for 24 h, then every 6 h`. */
export function pollIntervalsInWords(name: PollIntervalsName): string {
  const intervals: readonly number[] = POLL_INTERVALS[name];
  const last = intervals.at(-1) ?? 0;
  const steps: { seconds: number; times: number }[] = [];
  for (const seconds of intervals.slice(0, -1)) {
    const before = steps.at(-1);
    if (before?.seconds === seconds) before.times += 1;
    else steps.push({ seconds, times: 1 });
  }
  const words = steps.map(({ seconds, times }) =>
    times === 1 ? spanInWords(seconds) : `every ${spanInWords(seconds)} for ${spanInWords(seconds * times)}`,
  );
  return [...words, `then every ${spanInWords(last)}`].join(', ');
}

/** In the largest unit that gives a whole number. */
function spanInWords(seconds: number): string {
  const [size, unit] = UNITS.find(([whole]) => seconds % whole === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
}
