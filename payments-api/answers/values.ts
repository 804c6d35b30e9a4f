// Parses bytes to JSON, and JSON to values that are safe to store. All recursion is bounded, because the input is untrusted.
import type { Instant, Json } from '../../domain/facts/fact.js';

/** Deeper than anything that the provider documents, and shallow enough to be serialised again. */
const MAX_DEPTH = 16;
const TOO_DEEP = '[nested too deeply]';
/** Far more than any text of the provider. All readers of a longer one would pay for it. */
const LONGEST_TEXT = 8 * 1024;
const NOTHING: ReadonlySet<string> = new Set();

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON value in UTF-8 bytes, in a wrapper so that `null` is a value; undefined if they are not JSON. */
export function readJson(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes));
    return { value };
  } catch {
    return undefined; // The parser's message quotes the body, so it is dropped.
  }
}

/** A copy that is safe to store: without `__proto__` keys, with texts of at most 8 KiB, and cut off where it is nested deeper than 16 levels. */
export function boundedJson(value: unknown, depth = 0): Json {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item: unknown) => boundedJson(item, depth + 1));
  if (isObject(value)) return boundedObject(value, depth);
  if (typeof value === 'string') return boundedText(value);
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A longer text ends with its original length. */
export const boundedText = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… [${text.length} characters]`;

/** @param without keys to omit, because they are stored elsewhere. */
export function boundedObject(
  value: Record<string, unknown>,
  depth = 0,
  without: ReadonlySet<string> = NOTHING,
): { [key: string]: Json } {
  const stored: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (key !== '__proto__' && item !== undefined && !without.has(key))
      stored[key] = boundedJson(item, depth + 1);
  }
  return stored;
}

/** RFC 3339 with a zone, the date captured. The month must exist; the day may be any two digits. */
const ZONED =
  /^(\d{4}-(?:0[1-9]|1[0-2])-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** As in `2021-09-02 02:24:50 UTC` (docs/provider.md#webhooks-deliveries). */
const NAMED_UTC = /^(\S{10}) (\S{8,18}) UTC$/;
const UTC_SECONDS_LENGTH = '2026-01-01T00:00:00Z'.length;
const CANONICAL_LENGTH = '2026-01-01T00:00:00.000Z'.length; // Years outside 0000-9999 are longer.

/**
 * The same instant in UTC with milliseconds and `Z`, so that text order equals time order. The provider uses many formats
 * (docs/provider.md#conventions: +10:00, +11:00, Z, with and without fractions).
 * @returns undefined if it is not a date-time or has no zone: a guessed zone could reorder facts.
 */
export function instantFrom(value: unknown): Instant | undefined {
  if (typeof value !== 'string') return undefined;
  const written = value.endsWith(' UTC') ? value.replace(NAMED_UTC, '$1T$2Z') : value;
  const date = ZONED.exec(written)?.[1];
  if (date === undefined || !isDate(date)) return undefined;
  if (written.length === UTC_SECONDS_LENGTH && written.endsWith('Z')) return `${written.slice(0, -1)}.000Z`;
  const instant = new Date(written).toISOString();
  return instant.length === CANONICAL_LENGTH ? instant : undefined;
}

/** True if the month has this day. Date reads the 30th of February as the 2nd of March. */
function isDate(date: string): boolean {
  const day = Number(date.slice(-2));
  if (day >= 1 && day <= 28) return true;
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
