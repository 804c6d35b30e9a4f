// The provider writes instants in many ways (facts 1: +10:00, +11:00, Z, with and without fractions); we keep one.
import { WireInstant } from './wire.schema.js';
import type { Instant } from '../domain/fact.js';

const CANONICAL_LENGTH = '2026-01-01T00:00:00.000Z'.length; // years outside 0000-9999 print longer

/**
 * The same instant in UTC with milliseconds and `Z`, so that text order is time order.
 * @returns nothing for what is no date-time, or one without a zone: guessing the zone would reorder facts.
 */
export function instantFrom(value: unknown): Instant | undefined {
  const parsed = WireInstant.safeParse(value);
  if (!parsed.success) return undefined;
  const date = new Date(parsed.data);
  if (Number.isNaN(date.getTime())) return undefined;
  const instant = date.toISOString();
  return instant.length === CANONICAL_LENGTH ? instant : undefined;
}
