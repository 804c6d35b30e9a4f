// Refuses JSON that code could misread or that could exhaust the stack: the key `__proto__`, and deep nesting.
import { ApiError } from './problems/errors.js';

/** Far more than any request has. */
const DEEPEST = 64;

interface Place {
  value: unknown;
  pointer: string;
  depth: number;
}

/** @param value parsed JSON. @throws ApiError `invalid_request` with the pointer of a key `__proto__`, or `malformed_json` */
export function assertPlain(value: unknown): void {
  const open: Place[] = [{ value, pointer: '', depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (typeof place.value !== 'object' || place.value === null) continue;
    if (place.depth === DEEPEST)
      throw new ApiError(
        'malformed_json',
        `The body is nested too deeply. Expected at most ${DEEPEST} levels.`,
      );
    for (const [key, inner] of Object.entries(place.value)) {
      const pointer = `${place.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (key === '__proto__') throw protoAt(pointer);
      open.push({ value: inner, pointer, depth: place.depth + 1 });
    }
  }
}

const protoAt = (pointer: string): ApiError =>
  new ApiError('invalid_request', 'The request has invalid fields.', {
    errors: [{ pointer, detail: 'expected another name; __proto__ is reserved' }],
  });
