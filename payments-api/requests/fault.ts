// The faults of a request: the place and the expectation. Never the value, which may be personal data.
import type { ZodError } from 'zod';

export interface RequestFault {
  /** The place in the request; empty for the whole request. */
  path: readonly PropertyKey[];
  /** The kind of fault: zod's code, or the violated rule. */
  code: string;
  /** A sentence for the caller. */
  detail: string;
}

/** The context of a check. */
export interface Circumstances {
  /** The API version of all calls, 8 digits. The legacy version 20250101 has the shapes of 20260101. */
  version: string;
  now: () => Date;
}

/** The issues of a schema, with each unknown field in its own place. */
export const faultsIn = ({ issues }: ZodError): RequestFault[] =>
  issues.flatMap(({ path, message, ...issue }): RequestFault[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], code: issue.code, detail: UNKNOWN }))
      : [{ path, code: issue.code, detail: message }],
  );

const UNKNOWN = 'unknown field; the provider does not accept it here. Remove it';

/** The value at a place of a request; undefined if the place does not exist. */
export function valueAt(request: unknown, path: readonly string[]): unknown {
  let value = request;
  for (const key of path) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isThere ? Reflect.get(Object(value), key) : undefined;
  }
  return value;
}
