// Date-times as core resources take them (facts 1): with a zone, or without one, and then Sydney's time of day is meant.
import { z } from 'zod';
import { sydneyTimestamp } from '../time/sydney.js';

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
