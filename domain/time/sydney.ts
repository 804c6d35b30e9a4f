// Days as the scheme counts them: Australia/Sydney, daylight saving included (docs/provider.md#conventions). Pure.
// The rules of daylight saving come from the time zones that Node carries (docs/decisions/0007).
import type { Instant } from '../facts/fact.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const WALL_CLOCK = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Australia/Sydney',
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/**
 * How far Sydney's clocks are ahead of UTC at that time: ten hours, or eleven in summer. By the time of day alone, which
 * gives it for any year that there is: calendars write years beyond 9999 and before 1 in ways of their own.
 */
function offsetMs(atMs: number): number {
  const [hour = NaN, minute = NaN, second = NaN] = WALL_CLOCK.format(atMs).split(':').map(Number);
  const ofDayMs = Date.UTC(1970, 0, 1, hour, minute, second);
  const secondMs = Math.floor(atMs / 1000) * 1000;
  return (((ofDayMs - secondMs) % DAY_MS) + DAY_MS) % DAY_MS;
}

/** The day, `YYYY-MM-DD`, that it is in Sydney then. */
export function sydneyDayOf(at: Instant): string {
  const atMs = Date.parse(at);
  return new Date(atMs + offsetMs(atMs)).toISOString().slice(0, '2026-01-01'.length);
}

/** The last millisecond of a day in Sydney; nothing for what is no day. Clocks never change near midnight there. */
export function endOfSydneyDay(day: string): Instant | undefined {
  const midnightUtc = Date.parse(`${day}T00:00:00.000Z`);
  return Number.isNaN(midnightUtc) ? undefined : instantOf(midnightUtc + DAY_MS - 1);
}

/** The first millisecond of a day in Sydney. @throws RangeError for what is no day. */
export const startOfSydneyDay = (day: string): Instant => instantOf(Date.parse(`${day}T00:00:00.000Z`));

/** So many milliseconds after midnight by Sydney's clocks, on that day. */
export const sydneyTime = (day: string, afterMidnightMs: number): Instant =>
  instantOf(Date.parse(`${day}T00:00:00.000Z`) + afterMidnightMs);

/** When Sydney's clocks show what UTC's would at that time. */
const instantOf = (localMs: number): Instant =>
  new Date(localMs - offsetMs(localMs - offsetMs(localMs))).toISOString();
