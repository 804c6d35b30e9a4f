// Bytes to JSON and on to values that are safe to keep. Nothing here recurses without a bound: the bytes are not trusted.
import type { Instant, Json } from '../../domain/facts/fact.js';

/** Deeper than anything the provider documents, and shallow enough to be serialised again. */
const MAX_DEPTH = 16;
const TOO_DEEP = '[nested too deeply]';
const NOTHING: ReadonlySet<string> = new Set();

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value in UTF-8 JSON bytes, boxed so that `null` is a value; nothing when they are not JSON. */
export function readJson(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes));
    return { value };
  } catch {
    return undefined; // the parser's message quotes the body, so it is not kept
  }
}

/** A copy that is safe to keep: without `__proto__` keys, and cut off where it nests past 16 levels. */
export function boundedJson(value: unknown, depth = 0): Json {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item: unknown) => boundedJson(item, depth + 1));
  if (isObject(value)) return boundedObject(value, depth);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** @param without keys that have a place elsewhere. */
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

/** RFC 3339 with a zone, the date apart; a month that exists, and any day of two digits. */
const ZONED =
  /^(\d{4}-(?:0[1-9]|1[0-2])-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** As in `2021-09-02 02:24:50 UTC` (docs/provider.md#webhooks-deliveries). */
const NAMED_UTC = /^(\S{10}) (\S{8,18}) UTC$/;
const UTC_SECONDS_LENGTH = '2026-01-01T00:00:00Z'.length;
const CANONICAL_LENGTH = '2026-01-01T00:00:00.000Z'.length; // years outside 0000-9999 print longer

/**
 * The same instant in UTC with milliseconds and `Z`, so that text order is time order: the provider writes them in many
 * ways (docs/provider.md#conventions: +10:00, +11:00, Z, with and without fractions).
 * @returns nothing for what is no date-time, or one without a zone: guessing the zone would reorder facts.
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

/** Whether the month has such a day: Date takes the 30th of February for the 2nd of March. */
function isDate(date: string): boolean {
  const day = Number(date.slice(-2));
  if (day >= 1 && day <= 28) return true;
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
