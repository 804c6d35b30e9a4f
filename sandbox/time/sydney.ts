// Sydney days and times with daylight saving, as the provider uses them.
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

/** The Sydney date at this instant, for example `2026-10-04`. */
export function sydneyDay(atMs: number): string {
  const part = partsOf(atMs);
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The instant with Sydney's offset, for example `2026-10-04T12:00:00.123+11:00`. */
export function sydneyTimestamp(atMs: number): string {
  const part = partsOf(atMs);
  const milliseconds = new Date(atMs).toISOString().slice(19, 23);
  const offset = part('timeZoneName').replace('GMT', '');
  return `${sydneyDay(atMs)}T${part('hour')}:${part('minute')}:${part('second')}${milliseconds}${offset}`;
}

// Date-times of core resources (docs/provider.md#conventions). Without a zone, they are in Sydney time.
const ZONE = /(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970. */
export const CoreInstant = z.iso
  .datetime({ offset: true, local: true, error: 'must be a date-time, such as 2026-10-03T02:00:00Z' })
  .transform((text) => (ZONE.test(text) ? Date.parse(text) : sydneyInstant(text)));

/** A time that daylight saving skips is read with the offset before the change. */
function sydneyInstant(local: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const guess = asUtc - offsetMs(asUtc);
  return asUtc - offsetMs(guess);
}

/** Sydney's offset from UTC at this instant. */
function offsetMs(atMs: number): number {
  const stamp = sydneyTimestamp(atMs);
  return Date.parse(`${stamp.slice(0, 23)}Z`) - atMs;
}
