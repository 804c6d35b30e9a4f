// Sydney's days and its time of day, daylight saving included: the provider reckons in them.
import { z } from 'zod';

const PARTS = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'Australia/Sydney',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'longOffset',
});

function partsOf(atMs: number): (type: Intl.DateTimeFormatPartTypes) => string {
  const parts = PARTS.formatToParts(atMs);
  return (type) => parts.find((part) => part.type === type)?.value ?? '';
}

/** `2026-10-04`, the day it is in Sydney at that instant. */
export function sydneyDay(atMs: number): string {
  const part = partsOf(atMs);
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** `2026-10-04T12:00:00.123+11:00`, the same instant with Sydney's offset. */
export function sydneyTimestamp(atMs: number): string {
  const part = partsOf(atMs);
  const milliseconds = new Date(atMs).toISOString().slice(19, 23);
  const offset = part('timeZoneName').replace('GMT', '');
  return `${sydneyDay(atMs)}T${part('hour')}:${part('minute')}:${part('second')}${milliseconds}${offset}`;
}

// Date-times as core resources take them (docs/provider.md#conventions): with a zone, or without one, and then Sydney's time of day is meant.
const ZONE = /(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970. */
export const CoreInstant = z.iso
  .datetime({ offset: true, local: true, error: 'must be a date-time, such as 2026-10-03T02:00:00Z' })
  .transform((text) => (ZONE.test(text) ? Date.parse(text) : sydneyInstant(text)));

/** A time of day that the clocks skip is read as it was before the change. */
function sydneyInstant(local: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const guess = asUtc - offsetMs(asUtc);
  return asUtc - offsetMs(guess);
}

/** How far Sydney is ahead of UTC at that instant. */
function offsetMs(atMs: number): number {
  const stamp = sydneyTimestamp(atMs);
  return Date.parse(`${stamp.slice(0, 23)}Z`) - atMs;
}
