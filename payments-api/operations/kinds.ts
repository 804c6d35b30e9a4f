// The kinds of operations that the provider has: read one resource, list some, write one, act on one. Pure: what to ask,
// what counts as an answer, and how to read a good one.
import { isObject, boundedObject } from '../answers/values.js';
import { malformed } from '../http/judge.js';
import { items } from '../http/paging.js';
import { queryOf, requestBody, uidSegment } from '../requests/checked.js';
import type { Call, Question } from '../http/send.js';
import type { Fallback } from '../answers/snapshot.js';
import type { Filter } from '../requests/checked.js';
import type { ListPage, PagedOperation } from '../http/paging.js';
import type { Success } from '../http/judge.js';
import type { ZodType } from 'zod';

/** A question and the reading of its answer; `read` throws PaymentsApiError `malformed` only. */
export interface Operation<Result> extends Question, Success {
  /** @param json undefined where the answer may be without a body and is. */
  read: (json: unknown) => Result;
}

/** The ways of putting an operation to the provider; each rejects with PaymentsApiError and nothing else. */
export interface Asking {
  /** The version that calls are made in, 8 digits (docs/provider.md#versions). */
  version: string;
  now: () => Date;
  ask: <Result>(operation: Operation<Result>, call: Call) => Promise<Result>;
  /** Page after page, each asked for as it is wanted. */
  list: <Item>(operation: PagedOperation<Item>, call: Call) => AsyncIterable<Item[]>;
  /** One page alone. */
  page: <Item>(operation: PagedOperation<Item>, call: Call) => Promise<ListPage<Item>>;
}

/** `GET {root}/{id}`: the resource under `data`. */
export function reads<Result>(
  { ask }: Asking,
  name: string,
  root: string,
  schema: ZodType<Result>,
  segment = uidSegment,
) {
  return async (id: string, call: Call): Promise<Result> =>
    ask({ name, method: 'GET', path: `${root}/${segment(name, id)}`, read: dataOf(name, schema) }, call);
}

/** `POST {path}` with a body of this shape: the resource under `data`. */
export function creates<Body extends object, Result>(
  { ask, version, now }: Asking,
  name: string,
  path: string,
  body: ZodType<Body>,
  answer: ZodType<Result>,
  status?: number,
) {
  return async (request: Body, call: Call): Promise<Result> => {
    const checked = requestBody(name, body, request, { version, now });
    return ask({ name, method: 'POST', path, body: checked, status, read: dataOf(name, answer) }, call);
  };
}

/** `GET {path}`, narrowed by a filter: its entries, page after page as they are consumed. */
export function lists<Narrowed extends Filter, Item>(
  { list }: Asking,
  name: string,
  path: string,
  filter: ZodType<Narrowed>,
  readItem: (item: unknown) => Item | undefined,
  next?: PagedOperation<Item>['next'],
) {
  return async function* (narrowed: Narrowed, call: Call): AsyncGenerator<Item, void, undefined> {
    const query = queryOf(name, filter, narrowed);
    yield* items(list({ name, method: 'GET', path, query, readItem, next }, call));
  };
}

/** Reads the one resource under `data`, which the domain has a snapshot of. */
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

/** Reads the one resource under `data`, any other. */
export function dataOf<Result>(operation: string, schema: ZodType<Result>): (json: unknown) => Result {
  const readItem = itemOf(schema);
  return (json) => {
    const result = isObject(json) ? readItem(json['data']) : undefined;
    if (result === undefined) throw malformed(operation, 'data to be a resource', 'something else');
    return result;
  };
}

/** Reads one entry of a list; nothing for what is no object. */
export function itemOf<Result>(schema: ZodType<Result>): (item: unknown) => Result | undefined {
  return (item) => {
    const parsed = isObject(item) ? schema.safeParse(boundedObject(item)) : undefined;
    return parsed?.data;
  };
}

/** Reads an answer that may bring no resource: 202 means accepted, whatever comes with it. */
export const perhaps =
  <Result>(readData: (data: unknown) => Result | undefined): ((json: unknown) => Result | undefined) =>
  (json) =>
    isObject(json) ? readData(json['data']) : undefined;

/** For answers that say nothing but that the call was taken. */
export const accepted = { answer: 'nothing', read: (): void => undefined } as const;
