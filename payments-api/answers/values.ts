// Bytes to JSON and on to what we keep. Nothing here recurses without a bound: the bytes are a stranger's.
import type { Json } from '../../domain/fact.js';

/** Deeper than anything the provider documents, and shallow enough for whoever writes it down again. */
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
export function keptJson(value: unknown, depth = 0): Json {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item: unknown) => keptJson(item, depth + 1));
  if (isObject(value)) return keptObject(value, depth);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** @param without keys that have a place elsewhere. */
export function keptObject(
  value: Record<string, unknown>,
  depth = 0,
  without: ReadonlySet<string> = NOTHING,
): { [key: string]: Json } {
  const kept: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (key !== '__proto__' && item !== undefined && !without.has(key)) kept[key] = keptJson(item, depth + 1);
  }
  return kept;
}
