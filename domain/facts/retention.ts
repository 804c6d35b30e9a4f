// Limits the stored size of facts, so that no workflow exceeds Temporal's limits but every decision still has its data. Pure.
// Dropped parts remain in the Temporal history of the run that received them. Facts read from the provider's history also remain there.
import type { Fact, Json, Reason } from './fact.js';

/** Shorter facts are stored whole. Every known event type is shorter. */
const ORDINARY = 1024;
/** Limits for longer facts: bytes of JSON for the detail, characters for each text. */
const DETAIL_BYTES = 2048;
const TEXT_LENGTH = 256;

type Detail = { [key: string]: Json };

const ENCODER = new TextEncoder();

/** Bytes of JSON, which is how Temporal counts. */
export const bytesOf = (value: unknown): number =>
  value === undefined ? 0 : ENCODER.encode(JSON.stringify(value)).length;

/** A prefix that fits into so many bytes of JSON, including its quotes. */
export function cutToBytes(text: string, mostBytes: number): string {
  const bytes = bytesOf(text);
  if (bytes <= mostBytes) return text;
  const length = Math.min(text.length - 1, Math.floor((text.length * mostBytes) / bytes));
  return cutToBytes(text.slice(0, length), mostBytes);
}

/** At most 256 characters. */
export const shortened = (text: string): string => text.slice(0, TEXT_LENGTH);

/**
 * Truncates a fact from the provider. The smallest fields of the detail are kept first, so that a narrative never displaces an amount, a uid
 * or an outcome. Our own facts are small, and are stored whole.
 */
export function truncateFact(fact: Fact): Fact {
  if (fact.source === 'command' || JSON.stringify(fact).length <= ORDINARY) return fact;
  const { causedBy, reason, detail } = fact;
  const stored: Fact = {
    ...fact,
    causedBy: causedBy === undefined ? undefined : shortened(causedBy),
    reason: reason === undefined ? undefined : shortReason(reason),
    detail: detail === undefined ? undefined : fitting(detail, DETAIL_BYTES),
  };
  return bytesOf(stored) < bytesOf(fact) ? { ...stored, dropped: true } : fact;
}

/** A workflow that keeps few facts stores them whole. Its state, row and entry of this size together fit into one call of 2 MB. */
const WHOLE_BYTES = 400 * 1024;
export const truncateHuge = (fact: Fact): Fact => (bytesOf(fact) > WHOLE_BYTES ? truncateFact(fact) : fact);

export const shortReason = (reason: Reason): Reason =>
  Object.fromEntries(
    Object.entries(reason).map(([name, text]) => [name, typeof text === 'string' ? shortened(text) : text]),
  );

/** The smallest fields that fit, and the parts that fit of larger objects. */
function fitting(detail: Detail, mostBytes: number): Detail {
  const stored = new Map<string, Json>();
  let left = mostBytes;
  const sized = Object.entries(detail).map(([key, value]) => ({
    key,
    value,
    bytes: bytesOf({ [key]: value }),
  }));
  for (const { key, value, bytes } of sized.sort((a, b) => a.bytes - b.bytes)) {
    const isWhole = bytes <= left;
    const part = isWhole ? value : isObject(value) ? fitting(value, left - bytesOf(key)) : undefined;
    if (part === undefined || (!isWhole && Object.keys(part ?? {}).length === 0)) continue;
    stored.set(key, part);
    left -= bytesOf({ [key]: part });
  }
  return Object.fromEntries(Object.keys(detail).flatMap((key) => entryOf(stored, key)));
}

function entryOf(stored: ReadonlyMap<string, Json>, key: string): [string, Json][] {
  const value = stored.get(key);
  return value === undefined ? [] : [[key, value]];
}

const isObject = (value: Json): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Limits facts to so many bytes. As many of the oldest as necessary keep only what the fold and deduplication need. @param facts in order. */
export function withinBytes(facts: readonly Fact[], mostBytes: number): Fact[] {
  const sizes = facts.map(bytesOf);
  let tooMany = sizes.reduce((sum, size) => sum + size, 0) - mostBytes;
  return facts.map((fact, index) => {
    if (tooMany <= 0 || fact.source === 'command') return fact;
    const thin = thinned(fact);
    tooMany -= (sizes[index] ?? 0) - bytesOf(thin);
    return thin;
  });
}

const thinned = ({ detail, reason, ...fact }: Fact): Fact =>
  detail === undefined && reason === undefined
    ? fact
    : {
        ...fact,
        ...(reason?.code !== undefined && { reason: { code: shortened(reason.code) } }),
        dropped: true,
      };

/** How many of the oldest facts must be dropped to fit into so many bytes. @param facts in order. */
export function surplusOver(facts: readonly Fact[], mostBytes: number): number {
  let bytes = 0;
  const oldestStored = facts.findLastIndex((fact) => {
    bytes += bytesOf(fact);
    return bytes > mostBytes;
  });
  return oldestStored + 1;
}
