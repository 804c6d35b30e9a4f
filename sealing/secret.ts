// A wrapper that masks a secret when printed, logged or serialised. It has its own file, because payments-api may import
// nothing else of sealing/.
import { inspect } from 'node:util';

export interface Secret<T = string> {
  /** The secret itself. Use it immediately, and store it nowhere in clear. */
  reveal: () => T;
  toString: () => string;
  toJSON: () => string;
}

const MASK = '[secret]';
const masked = (): string => MASK;

/** Only the closure has the value, so that no property of the wrapper reveals it. */
export function secretOf<T>(value: T): Secret<T> {
  return Object.freeze({
    reveal: () => value,
    toString: masked,
    toJSON: masked,
    [inspect.custom]: masked,
    [Symbol.toPrimitive]: masked,
  });
}
