// The provider writes instants in many ways (facts 1: +10:00, +11:00, Z, with and without fractions); we keep one.
import { WireInstant } from './answers/wire.schema.js';
import type { Instant } from '../domain/fact.js';

/** As it is nearly always written, and read without the schema. The 28th is the last day that every month has. */
const PLAIN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const UTC_SECONDS = /^.{19}Z$/;
const CANONICAL_LENGTH = '2026-01-01T00:00:00.000Z'.length; // years outside 0000-9999 print longer

/**
 * The same instant in UTC with milliseconds and `Z`, so that text order is time order.
 * @returns nothing for what is no date-time, or one without a zone: guessing the zone would reorder facts.
 */
export function instantFrom(value: unknown): Instant | undefined {
  const isPlain = typeof value === 'string' && PLAIN.test(value);
  if (isPlain && UTC_SECONDS.test(value)) return `${value.slice(0, -1)}.000Z`;
  const written = isPlain ? value : WireInstant.safeParse(value).data;
  if (written === undefined) return undefined;
  const date = new Date(written);
  if (Number.isNaN(date.getTime())) return undefined;
  const instant = date.toISOString();
  return instant.length === CANONICAL_LENGTH ? instant : undefined;
}
