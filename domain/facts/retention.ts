// How much of a fact is kept: enough for whatever is decided by it, and so little that no workflow outgrows what Temporal takes.
// Pure. What is left out stands in the history of the run that received it, and of what is read again in the provider's.
import type { Fact, Json, Reason } from './fact.js';

/** Facts that are no longer as text than this are kept as they are: all that are known are. */
const ORDINARY = 1024;
/** Of longer ones so much of the detail, in bytes of JSON, and of each text so many characters. */
const DETAIL_BYTES = 2048;
const TEXT_LENGTH = 256;

type Detail = { [key: string]: Json };

const ENCODER = new TextEncoder();

/** As Temporal counts it. */
export const bytesOf = (value: unknown): number =>
  value === undefined ? 0 : ENCODER.encode(JSON.stringify(value)).length;

/** The beginning of a text that takes no more than so many bytes as JSON, its quotes included. */
export function cutToBytes(text: string, mostBytes: number): string {
  const bytes = bytesOf(text);
  if (bytes <= mostBytes) return text;
  const length = Math.min(text.length - 1, Math.floor((text.length * mostBytes) / bytes));
  return cutToBytes(text.slice(0, length), mostBytes);
}

/** At most 256 characters. */
export const shortened = (text: string): string => text.slice(0, TEXT_LENGTH);

/**
 * What is kept of a fact that the provider has sent. Of its detail what is small comes first, so that no narrative displaces an amount, a
 * uid or an outcome. What we noted ourselves is kept whole: it is small.
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

export const shortReason = (reason: Reason): Reason =>
  Object.fromEntries(
    Object.entries(reason).map(([name, text]) => [name, typeof text === 'string' ? shortened(text) : text]),
  );

/** The smallest members that fit, and of larger objects what fits of them. */
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

/** The same facts within so many bytes: of the oldest only what the fold and repeats need, as far as it takes. @param facts in order. */
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

/** How many of the oldest have to go so that the rest are within so many bytes. @param facts in order. */
export function surplusOver(facts: readonly Fact[], mostBytes: number): number {
  let bytes = 0;
  const oldestStored = facts.findLastIndex((fact) => {
    bytes += bytesOf(fact);
    return bytes > mostBytes;
  });
  return oldestStored + 1;
}
