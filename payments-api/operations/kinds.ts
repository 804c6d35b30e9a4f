// The kinds of operations: read, list, create, act. Pure: each defines its request, its successful answer, and the reading
// of that answer.
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { isObject, boundedObject } from '../answers/values.js';
import { malformed, type Success } from '../http/judge.js';
import { items, type ListPage, type PagedOperation } from '../http/paging.js';
import { queryOf, requestBody, uidSegment, type Filter } from '../requests/checked.js';
import type { Call, Question } from '../http/send.js';
import type { Fallback } from '../answers/snapshot.js';
import type { ZodType } from 'zod';

/** A request and the reading of its answer. `read` throws only PaymentsApiError `malformed`. */
export interface Operation<Result> extends Question, Success {
  /** @param json undefined if the answer may lack a body and does. */
  read: (json: unknown) => Result;
}

/** The ways to send an operation. Each rejects only with PaymentsApiError. */
export interface Asking {
  /** The API version of all calls, 8 digits (docs/provider.md#versions). */
  version: string;
  now: () => Date;
  ask: <Result>(operation: Operation<Result>, call: Call) => Promise<Result>;
  /** All pages, each fetched on demand. */
  list: <Item>(operation: PagedOperation<Item>, call: Call) => AsyncIterable<Item[]>;
  /** A single page. */
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

/** `POST {path}` with a body of this schema: the resource under `data`. */
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

/** `GET {path}` with a filter: the entries, fetched page by page on demand. */
export function lists<Narrowed extends Filter, Item>(
  { list }: Asking,
  name: string,
  path: string,
  filter: ZodType<Narrowed>,
  readItem: (item: unknown) => Item | undefined,
  next?: PagedOperation<Item>['next'],
) {
  return async function* (narrowed: Narrowed, call: Call): AsyncIterable<Item> {
    const query = queryOf(name, filter, narrowed);
    yield* items(list({ name, method: 'GET', path, query, readItem, next }, call));
  };
}

/** `GET {path}` without a filter: the entries, fetched page by page on demand. */
export const listsAll =
  <Item>(
    { list }: Asking,
    name: string,
    path: string,
    readItem: (item: unknown) => Item | undefined,
    next?: PagedOperation<Item>['next'],
  ) =>
  (call: Call): AsyncIterable<Item> =>
    items(list({ name, method: 'GET', path, readItem, next }, call));

/** `GET {path}`: one page, by a filter or by `next` of an earlier page. */
export function pageOf<Narrowed extends Filter, Item>(
  { page }: Asking,
  name: string,
  path: string,
  filter: ZodType<Narrowed>,
  readItem: (item: unknown) => Item | undefined,
) {
  return async (from: Narrowed | string, call: Call): Promise<ListPage<Item>> => {
    const query = typeof from === 'string' ? from : queryOf(name, filter, from);
    return page({ name, method: 'GET', path, query, readItem }, call);
  };
}

/** `GET {root}/{uid}`: the snapshot of the resource under `data`. */
export function readsSnapshot<Result>(
  { ask }: Asking,
  name: string,
  root: string,
  from: SnapshotReader<Result>,
) {
  return async (uid: string, call: Call): Promise<Result> => {
    const read = resource(name, from, { uid, state: MISSING_STATE });
    return ask({ name, method: 'GET', path: `${root}/${uidSegment(name, uid)}`, read }, call);
  };
}

type SnapshotReader<Result> = (data: unknown, fallback: Fallback) => Result | undefined;

/** Reads the resource under `data` into a domain snapshot. */
export function resource<Result>(
  operation: string,
  from: SnapshotReader<Result>,
  fallback: Fallback,
): (json: unknown) => Result {
  return (json) => {
    const result = isObject(json) ? from(json['data'], fallback) : undefined;
    if (result === undefined)
      throw malformed(operation, `data to be the resource ${fallback.uid}`, 'something else');
    return result;
  };
}

/** Reads the resource under `data` by its schema. */
export function dataOf<Result>(operation: string, schema: ZodType<Result>): (json: unknown) => Result {
  const readItem = itemOf(schema);
  return (json) => {
    const result = isObject(json) ? readItem(json['data']) : undefined;
    if (result === undefined) throw malformed(operation, 'data to be a resource', 'something else');
    return result;
  };
}

/** Reads one entry of a list; undefined if it is not an object. */
export function itemOf<Result>(schema: ZodType<Result>): (item: unknown) => Result | undefined {
  return (item) => {
    const parsed = isObject(item) ? schema.safeParse(boundedObject(item)) : undefined;
    return parsed?.data;
  };
}

/** Reads an answer that may contain no resource. A 202 means accepted, with or without a body. */
export const perhaps =
  <Result>(readData: (data: unknown) => Result | undefined): ((json: unknown) => Result | undefined) =>
  (json) =>
    isObject(json) ? readData(json['data']) : undefined;

/** For answers that only confirm acceptance. */
export const accepted = { answer: 'nothing', read: (): void => undefined } as const;
