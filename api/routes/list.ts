// Shared parts of the list endpoints.
import { z } from 'zod';
import {
  AGREEMENT_WAITS_FOR_PAYER,
  requestedBefore,
  type Unanswered,
} from '../../domain/agreement/reminder.js';
import type { ChangesRequest } from '../../records/changed-rows.js';
import { SORTS, type RowFilter, type RowsRequest, type Sort } from '../../records/lists.js';
import type { ChangedPage, ListPage } from '../gateway/records.js';
import type { ApiDependencies } from '../http/dependencies.js';
import { DEFAULT_SORT, type ListQuery } from '../http/list-parameters.schema.js';
import { invalidParameter } from '../http/problems/validation.js';
import { START, openCursor, readCursor, sealCursor, writeCursor } from '../http/paging.js';
import { nextPage, pathOf } from './links.js';

export const LIST = { method: 'get', access: 'read', connection: 'query', problems: [503] } as const;
export const ONE_PAGE = 'A page, newest first unless `sort` or `changed_after` says otherwise.';
/** Reads one page of a list and its link to the next one. @param list its name, and its path below `/v1`. */
export async function pageOf<Item, Answer>(
  { sessionKeys, clock, progress }: Pick<ApiDependencies, 'sessionKeys' | 'clock' | 'progress'>,
  list: string,
  query: ListQuery,
  read: (request: RowsRequest) => Promise<ListPage<Item>>,
  answer: (item: Item) => Answer | Promise<Answer>,
) {
  const { cursor, per_page: limit, sort = DEFAULT_SORT, ...filters } = query;
  const after = placeIn(openCursor(sessionKeys, list, cursor), sort);
  const filter = filterOf(filters, new Date(clock.now()).toISOString());
  const recordedUntil = progress.recordedUntil();
  const page = await read({ filter, sort: sortOf(sort), after, limit });
  const position = page.next && writeCursor([sort, page.next.value, page.next.uid]);
  return {
    data: await Promise.all(page.items.map(answer)),
    recorded_until: recordedUntil ?? null,
    links: nextPage(
      `/v1/${list}`,
      { ...filters, sort, per_page: limit },
      sealCursor(sessionKeys, list, position),
    ),
  };
}

const Position = z.tuple([z.string(), z.string(), z.string()]);

function placeIn(position: string | undefined, sort: string): RowsRequest['after'] {
  if (position === undefined) return undefined;
  const [sorted, value, uid] = readCursor(Position, position);
  if (sorted !== sort) throw invalidParameter('cursor', 'expected a cursor of a page with the same sort');
  return { value, uid };
}

function sortOf(name: string): Sort {
  const by = SORTS.find((one) => name === one || name === `-${one}`) ?? 'created';
  return { by, isDescending: name.startsWith('-') };
}

/** Reads the changes after a place, and links to where the caller continues, which is always somewhere. */
export async function changesOf<Item, Answer>(
  { clock, progress }: Pick<ApiDependencies, 'clock' | 'progress'>,
  list: string,
  { changed_after: after = START, per_page: limit, ...filters }: ListQuery,
  read: (request: ChangesRequest) => Promise<ChangedPage<Item>>,
  answer: (item: Item) => Answer | Promise<Answer>,
) {
  const filter = filterOf(filters, new Date(clock.now()).toISOString());
  const recordedUntil = progress.recordedUntil();
  if (list === 'payments' && filters['client'] !== undefined)
    throw invalidParameter(
      'client',
      'expected no client with changed_after: a payment does not change when its agreement does',
    );
  const { items, next, isNewest } = await read({ filter, after: changeIn(list, after), limit });
  const { era, transaction, uid } = next;
  const changed_after = writeCursor([list, era, transaction, uid]);
  return {
    data: await Promise.all(items.map(answer)),
    recorded_until: recordedUntil ?? null,
    up_to_date: isNewest,
    links: { next: pathOf(`/v1/${list}`, { ...filters, per_page: limit, changed_after }) },
  };
}

/** Clear, because callers store it for longer than session keys live. Forged, it only begins elsewhere in the same list. */
const Changed = (list: string) =>
  z.tuple([z.literal(list), z.int32().min(0), z.string().regex(/^\d{1,18}$/), z.string().max(300)]);

function changeIn(list: string, cursor: string): ChangesRequest['after'] {
  if (cursor === START) return undefined;
  const [, era, transaction, uid] = readCursor(Changed(list), cursor, 'changed_after');
  return { era, transaction, uid };
}

/** @param now for `unanswered`. */
export function filterOf(query: Omit<ListQuery, 'per_page' | 'sort' | 'cursor'>, now: string): RowFilter {
  const text = (name: string): string | undefined => query[name]?.toString();
  const range = (name: string) => ({ from: text(`${name}_from`), until: text(`${name}_until`) });
  const unanswered = text('unanswered') as Unanswered | undefined;
  const created = range('created');
  const before = unanswered && requestedBefore(unanswered, now);
  return {
    states: statesOf(text('state'), unanswered),
    awaiting: text('awaiting'),
    attention: text('attention'),
    connection: text('connection'),
    client: text('client'),
    agreement: text('agreement'),
    payment: text('payment'),
    amount: amountsOf(query),
    created: { ...created, until: earlierOf(created.until, before) },
    updated: range('updated'),
    settled: range('settled'),
    terms: [
      ...(query['reference'] === undefined ? [] : [{ reference: String(query['reference']) }]),
      ...(query['metadata_key'] === undefined
        ? []
        : [{ metadata: String(query['metadata_key']), value: String(query['metadata_value']) }]),
    ],
  };
}

/** An unanswered agreement is in one state. Another requested state matches nothing. */
function statesOf(state: string | undefined, unanswered: Unanswered | undefined): string[] | undefined {
  if (unanswered === undefined) return state === undefined ? undefined : [state];
  return state === undefined || state === AGREEMENT_WAITS_FOR_PAYER ? [AGREEMENT_WAITS_FOR_PAYER] : [];
}

function amountsOf(query: Readonly<Record<string, string | number | undefined>>): RowFilter['amount'] {
  const { amount_min: from, amount_max: most } = query;
  return {
    from: from === undefined ? undefined : Number(from),
    until: most === undefined ? undefined : Number(most) + 1,
  };
}

const earlierOf = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;
