// Days as the scheme counts them: Australia/Sydney with daylight saving (docs/provider.md#conventions). Pure.
// Node's time zone data contains the rules of daylight saving.
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
 * How far Sydney's clocks are ahead of UTC at that time: ten hours, or eleven in summer. It uses only the time of day,
 * because formatted dates before year 1 and after year 9999 are unreliable.
 */
function offsetMs(atMs: number): number {
  const [hour = NaN, minute = NaN, second = NaN] = WALL_CLOCK.format(atMs).split(':').map(Number);
  const ofDayMs = Date.UTC(1970, 0, 1, hour, minute, second);
  const secondMs = Math.floor(atMs / 1000) * 1000;
  return (((ofDayMs - secondMs) % DAY_MS) + DAY_MS) % DAY_MS;
}

/** The day, `YYYY-MM-DD`, in Sydney at that time. */
export function sydneyDayOf(at: Instant): string {
  const atMs = Date.parse(at);
  return new Date(atMs + offsetMs(atMs)).toISOString().slice(0, '2026-01-01'.length);
}

/** What Sydney's clocks show, with their distance from UTC: `2026-10-04T03:00:00.000+11:00`. */
export function sydneyClock(at: Instant): string {
  const atMs = Date.parse(at);
  const offset = offsetMs(atMs);
  const hours = String(Math.floor(offset / 3_600_000)).padStart(2, '0');
  return `${new Date(atMs + offset).toISOString().slice(0, -1)}+${hours}:00`;
}

/** The last millisecond of a day in Sydney; undefined for an invalid day. Sydney's clocks never change near midnight. */
export function endOfSydneyDay(day: string): Instant | undefined {
  const midnightUtc = Date.parse(`${day}T00:00:00.000Z`);
  return Number.isNaN(midnightUtc) ? undefined : instantOf(midnightUtc + DAY_MS - 1);
}

/** The first millisecond of a day in Sydney. @throws RangeError for an invalid day. */
export const startOfSydneyDay = (day: string): Instant => instantOf(Date.parse(`${day}T00:00:00.000Z`));

/** The given milliseconds after midnight by Sydney's clocks, on that day. */
export const sydneyTime = (day: string, afterMidnightMs: number): Instant =>
  instantOf(Date.parse(`${day}T00:00:00.000Z`) + afterMidnightMs);

/** The instant at which Sydney's clocks show this local time. */
const instantOf = (localMs: number): Instant =>
  new Date(localMs - offsetMs(localMs - offsetMs(localMs))).toISOString();
