// Why a request cannot be sent: where, and what was expected there. Never the value that was met, which may be personal.
import type { ZodError } from 'zod';

export interface RequestFault {
  /** Where it is in the request; empty for the whole of it. */
  path: readonly PropertyKey[];
  /** What kind of fault: zod's word, or the rule that is broken. */
  code: string;
  /** A sentence for the caller. */
  detail: string;
}

/** What decides besides the request itself. */
export interface Circumstances {
  /** The version that calls are made in, 8 digits; 20250101, the legacy one, has the shapes of 20260101. */
  version: string;
  now: () => Date;
}

/** A schema's complaints, each field that it does not know in its own place. */
export const faultsIn = ({ issues }: ZodError): RequestFault[] =>
  issues.flatMap(({ path, message, ...issue }): RequestFault[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], code: issue.code, detail: UNKNOWN }))
      : [{ path, code: issue.code, detail: message }],
  );

const UNKNOWN = 'expected no such field, which the provider does not take here';

/** What stands at a place of a request; nothing where there is no such place. */
export function valueAt(request: unknown, path: readonly string[]): unknown {
  let value = request;
  for (const key of path) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isThere ? Reflect.get(Object(value), key) : undefined;
  }
  return value;
}
