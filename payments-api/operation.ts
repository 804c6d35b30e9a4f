// What an operation of the provider is: what to ask, and how to read a good answer. Pure.
// In:  payments-api/operations/*.ts say the operations; payments-api/client.ts carries them out.
import { isObject } from './json.js';
import { malformed } from './judge.js';
import type { Call, Question } from './http.js';
import type { Fallback } from './snapshot.js';
import type { PagedOperation } from './paging.js';

/** A question and the reading of its answer; `read` throws PaymentsApiError `malformed` only. */
export interface Operation<Result> extends Question {
  read: (json: unknown) => Result;
}

/** The ways of putting an operation to the provider; each rejects with PaymentsApiError and nothing else. */
export interface Asking {
  /** The version that calls are made in, 8 digits (interface 9). */
  version: string;
  now: () => Date;
  ask: <Result>(operation: Operation<Result>, call: Call) => Promise<Result>;
  /** Page after page, each asked for as it is wanted. */
  list: <Item>(operation: PagedOperation<Item>, call: Call) => AsyncIterable<Item[]>;
}

/** Reads the one resource under `data`. */
export function resource<Result>(
  operation: string,
  from: (data: unknown, fallback: Fallback) => Result | undefined,
  fallback: Fallback,
): (json: unknown) => Result {
  return (json) => {
    const result = isObject(json) ? from(json['data'], fallback) : undefined;
    if (result === undefined)
      throw malformed(operation, `data to be the resource ${fallback.uid}`, 'something else');
    return result;
  };
}
