// Refuses JSON that code could misread or that could exhaust the stack: the key `__proto__`, numbers that JavaScript would change
// silently, and deep nesting.
import { ApiError } from './problems/errors.js';

/** Far more than any request has. */
const DEEPEST = 64;

interface Place {
  value: unknown;
  pointer: string;
  depth: number;
}

/**
 * @param value parsed JSON. Every integer beyond 2^53 - 1 in its text is still beyond it after parsing, if only rounded, and an overflow
 *   is Infinity. So the text need not be read again.
 * @throws ApiError `invalid_request` with the pointer of a key `__proto__` or of such a number, or `malformed_json`
 */
export function assertPlain(value: unknown): void {
  const open: Place[] = [{ value, pointer: '', depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (typeof place.value === 'number' && Math.abs(place.value) > Number.MAX_SAFE_INTEGER)
      throw invalidAt(place.pointer, TOO_LARGE);
    if (typeof place.value !== 'object' || place.value === null) continue;
    if (place.depth === DEEPEST)
      throw new ApiError(
        'malformed_json',
        `The body is nested too deeply. Expected at most ${DEEPEST} levels.`,
      );
    for (const [key, inner] of Object.entries(place.value)) {
      const pointer = `${place.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (key === '__proto__') throw invalidAt(pointer, RESERVED);
      open.push({ value: inner, pointer, depth: place.depth + 1 });
    }
  }
}

const RESERVED = 'expected another name; __proto__ is reserved';
const TOO_LARGE = `expected a number of at most ${Number.MAX_SAFE_INTEGER}, because larger ones are not kept exactly; send it as text`;

const invalidAt = (pointer: string, detail: string): ApiError =>
  new ApiError('invalid_request', 'The request has invalid fields.', { errors: [{ pointer, detail }] });
