// Days as the scheme counts them: Australia/Sydney, daylight saving included (facts 1). Pure.
// The rules of daylight saving come from the time zones that Node carries (docs/decisions/0007).
import type { Instant } from './fact.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const WALL_CLOCK = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Australia/Sydney', hourCycle: 'h23',
  year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
}); // prettier-ignore

/** How far Sydney's clocks are ahead of UTC at that time: ten hours, or eleven in summer. */
function offsetMs(atMs: number): number {
  const shown = Object.fromEntries(WALL_CLOCK.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = shown;
  const seconds = Math.floor(atMs / 1000) * 1000;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - seconds;
}

/** The day it is in Sydney at that instant, as YYYY-MM-DD. */
export const sydneyDay = (instant: Instant): string => {
  const atMs = Date.parse(instant);
  return new Date(atMs + offsetMs(atMs)).toISOString().slice(0, 10);
};

/** The last millisecond of a day in Sydney; nothing for what is no day. Clocks never change near midnight there. */
export function endOfSydneyDay(day: string): Instant | undefined {
  const midnightUtc = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(midnightUtc)) return undefined;
  const localEnd = midnightUtc + DAY_MS - 1;
  return new Date(localEnd - offsetMs(localEnd - offsetMs(localEnd))).toISOString();
}
