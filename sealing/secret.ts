// A secret in a box: printed, logged or written down, the box shows that there is one, not what it is. A file of its own, as
// it is all that payments-api may import of this room.
import { inspect } from 'node:util';

export interface Secret<T = string> {
  /** The secret itself: to be used at once and kept nowhere in clear. */
  reveal: () => T;
  toString: () => string;
  toJSON: () => string;
}

const MASK = '[secret]';
const masked = (): string => MASK;

/** The value lives in the closure alone, so that no property of the box has it. */
export function secretOf<T>(value: T): Secret<T> {
  return Object.freeze({
    reveal: () => value,
    toString: masked,
    toJSON: masked,
    [inspect.custom]: masked,
    [Symbol.toPrimitive]: masked,
  });
}
