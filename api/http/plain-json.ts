// Refuses JSON that code could misread or that could exhaust the process: the key `__proto__`, numbers that JavaScript would change
// silently, deep nesting, and a multitude of small values, which cost far more than their bytes.
import { ApiError } from './problems/errors.js';
import { pointerTo } from './problems/validation.js';

/** Far more than any request has. */
const DEEPEST = 64;

/** Fits ten thousand identifications, or a thousand agreements with a hundred values each. */
const MOST_VALUES = 100_000;
/** Fits the smallest values of any request, such as those of metadata. */
const BYTES_PER_VALUE = 8;

/** The most values that a body of at most so many bytes may have. */
export const mostValuesIn = (maxBytes: number): number =>
  Math.min(Math.floor(maxBytes / BYTES_PER_VALUE), MOST_VALUES);

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Counts values and levels before anything is parsed, because parsing already needs a hundred times the bytes of `[{},{},…]`.
 * @param bytes JSON in UTF-8, or anything else: then the parser refuses it later.
 * @throws ApiError `body_too_large` or `malformed_json`
 */
export function assertFewValues(bytes: Uint8Array, most: number): void {
  let [values, depth, isInText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA) values++;
    else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > DEEPEST) throw tooDeep();
    } else if (byte === BRACKET_END || byte === BRACE_END) depth--;
    if (values > most) throw tooMany(most);
  }
}

const tooDeep = (): ApiError =>
  new ApiError('malformed_json', `The body is nested too deeply. Expected at most ${DEEPEST} levels.`);
const tooMany = (most: number): ApiError =>
  new ApiError('body_too_large', `The body has too many values. Expected at most ${most}.`);

/**
 * @param value parsed JSON that `assertFewValues` accepted. Every integer beyond 2^53 - 1 in its text is still beyond it after parsing, if
 *   only rounded, and an overflow is Infinity. So the text need not be read again.
 * @throws ApiError `invalid_request` with the pointer of a key `__proto__`, of such a number, or of an object or a list with too many parts
 */
export function assertPlain(value: unknown): void {
  const fault = faultIn(value);
  if (fault === undefined) return;
  const errors = [{ pointer: pointerTo(fault.path.reverse()), detail: fault.detail }];
  throw new ApiError('invalid_request', 'The request has invalid fields.', { errors });
}

/** `path`: innermost step first. */
interface Fault {
  path: PropertyKey[];
  detail: string;
}

function faultIn(value: unknown): Fault | undefined {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return { path: [], detail: TOO_LARGE };
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = Object.entries(value);
  const most = Array.isArray(value) ? MOST_ITEMS : MOST_FIELDS;
  if (fields.length > most) return { path: [], detail: `expected at most ${most} fields or items` };
  for (const [key, inner] of fields) {
    const fault = key === '__proto__' ? { path: [], detail: RESERVED } : faultIn(inner);
    if (fault === undefined) continue;
    fault.path.push(key);
    return fault;
  }
  return undefined;
}

/** More than the 2 KiB of any metadata can have. */
const MOST_FIELDS = 512;
/** As many as the longest list of any request. */
const MOST_ITEMS = 10_000;
const RESERVED = 'expected another name; __proto__ is reserved';
const TOO_LARGE = `expected a number of at most ${Number.MAX_SAFE_INTEGER}, because larger ones are not kept exactly; send it as text`;
