// The resources of the API by the words of the command line: their paths, the columns of their lists, and when they have ended.
import { dollars, shortTime, words, type Locale } from './format.js';
import { usage } from './failure.js';
import type { ListPath, RowOf } from './api.js';
import type { Column } from './table.js';
import type { Operations } from '../../client/create.js';

/** A list with its columns, the most important one first. */
export interface ListKind {
  path: ListPath;
  columnsFor: (locale: Locale) => readonly Column<object>[];
  /** The name of the path's parameter, if the list belongs to a resource. */
  of?: 'uid' | 'id';
}

export interface Kind {
  /** Singular, as commands and events name it. */
  name: string;
  list: ListKind;
  get: keyof Operations['GET'];
  timeline?: keyof Operations['GET'];
  /** The parameter of these paths. */
  key: 'uid' | 'id' | 'notification';
  /** The states in which nothing more happens. Absent: it never ends. */
  ended?: readonly string[];
}

/** The columns are typed by the rows of their path; the table passes only rows of that path. */
const list = <Path extends ListPath>(
  path: Path,
  columnsFor: (locale: Locale) => readonly Column<RowOf<Path>>[],
  of?: 'uid' | 'id',
): ListKind => ({
  path,
  columnsFor: columnsFor as unknown as ListKind['columnsFor'],
  ...(of !== undefined && { of }),
});

interface Flagged {
  attention: readonly { code: string }[];
}
interface Common extends Flagged {
  awaiting: { what: string };
}

const uid = { title: 'UID', value: (row: { uid: string }) => row.uid };
const id = { title: 'ID', value: (row: { id: string }) => row.id };
const state = { title: 'STATE', value: (row: { state: string }) => words(row.state) };
const flags = { title: 'FLAGS', value: (row: Flagged) => row.attention.map(({ code }) => code).join(', ') };
const waits = {
  title: 'WAITS FOR',
  value: (row: Common) => (row.awaiting.what === 'nothing' ? '' : words(row.awaiting.what)),
};
const connection = {
  title: 'CONNECTION',
  value: (row: { connection: string | null }) => row.connection ?? '–',
};
const amount = {
  title: 'AMOUNT',
  isNumber: true,
  value: (row: { amount: number | null }) => dollars(row.amount),
} as const;
const at = <Row>(title: string, value: (row: Row) => string | null, locale: Locale): Column<Row> => ({
  title,
  value: (row) => shortTime(value(row), locale),
});

export const KINDS: readonly Kind[] = [
  {
    name: 'agreement',
    ...{ get: '/v1/agreements/{uid}', timeline: '/v1/agreements/{uid}/timeline', key: 'uid' },
    ended: ['declined', 'expired', 'cancelled', 'failed'],
    list: list('/v1/agreements', (locale) => [
      ...[uid, state, flags, waits],
      at('CREATED', (row) => row.created_at, locale),
      connection,
      { title: 'DESCRIPTION', value: (row) => row.description ?? '', isText: true },
    ]),
  },
  {
    name: 'payment',
    ...{ get: '/v1/payments/{uid}', timeline: '/v1/payments/{uid}/timeline', key: 'uid' },
    ended: ['settled', 'failed', 'lapsed', 'withdrawn', 'unresolved'],
    list: list('/v1/payments', (locale) => [
      ...[uid, state, amount, flags, waits],
      at('REQUESTED', (row) => row.requested_at, locale),
      { title: 'FAILURE', value: (row) => row.failure?.code ?? '' },
      { title: 'AGREEMENT', value: (row) => row.agreement_uid ?? '–' },
    ]),
  },
  {
    name: 'refund',
    ...{ get: '/v1/refunds/{uid}', timeline: '/v1/refunds/{uid}/timeline', key: 'uid' },
    ended: ['processed', 'failed', 'unresolved'],
    list: list('/v1/refunds', (locale) => [
      ...[uid, state],
      { ...amount, value: (row) => dollars(row.refund_payment.amount) },
      ...[flags, waits],
      at('REQUESTED', (row) => row.requested_at, locale),
      { title: 'PAYMENT', value: (row) => row.original_payment_uid ?? '–' },
    ]),
  },
  {
    name: 'client',
    ...{ get: '/v1/clients/{uid}', timeline: '/v1/clients/{uid}/timeline', key: 'uid' },
    ended: ['failed', 'unresolved'],
    list: list('/v1/clients', () => [
      ...[uid, state, flags, waits, connection],
      { title: 'CLIENT ID', value: (row) => row.client_id ?? '–' },
    ]),
  },
  {
    name: 'counterparty',
    ...{ get: '/v1/counterparties/{uid}', timeline: '/v1/counterparties/{uid}/timeline', key: 'uid' },
    ended: ['registered', 'failed', 'unresolved'],
    list: list('/v1/counterparties', (locale) => [
      ...[uid, state, flags, waits],
      at('REQUESTED', (row) => row.requested_at, locale),
      connection,
    ]),
  },
  {
    name: 'onboarding',
    ...{ get: '/v1/onboardings/{id}', timeline: '/v1/onboardings/{uid}/timeline', key: 'id' },
    ended: ['done', 'abandoned'],
    list: list('/v1/onboardings', (locale) => [
      ...[id, state, flags, waits],
      at('REQUESTED', (row) => row.requested_at, locale),
      connection,
    ]),
  },
  {
    name: 'batch',
    ...{ get: '/v1/batches/{uid}', timeline: '/v1/batches/{uid}/timeline', key: 'uid' },
    ended: ['done', 'abandoned', 'incomplete'],
    list: list('/v1/batches', (locale) => [
      ...[id, state],
      { title: 'KIND', value: (row) => row.kind },
      { title: 'ROWS', value: (row) => String(row.rows), isNumber: true },
      { title: 'DRY RUN', value: (row) => (row.dry_run ? 'yes' : '') },
      flags,
      at('REQUESTED', (row) => row.requested_at, locale),
    ]),
  },
  {
    name: 'connection',
    ...{ get: '/v1/connections/{id}', key: 'id' },
    list: list('/v1/connections', (locale) => [
      id,
      { title: 'STATUS', value: (row) => words(row.status) },
      ...[flags, waits],
      at('CREATED', (row) => row.created_at, locale),
    ]),
  },
  {
    name: 'float-account',
    ...{ get: '/v1/float-accounts/{uid}', timeline: '/v1/float-accounts/{uid}/timeline', key: 'uid' },
    list: list('/v1/float-accounts', () => [
      ...[uid, state],
      { title: 'BALANCE', value: (row) => dollars(row.balance), isNumber: true },
      { title: 'CHAIN', value: (row) => row.chain },
      ...[flags, connection],
      { title: 'TITLE', value: (row) => row.title ?? '', isText: true },
    ]),
  },
  {
    name: 'unmatched-credit',
    ...{ get: '/v1/unmatched-credits/{uid}', timeline: '/v1/unmatched-credits/{uid}/timeline', key: 'uid' },
    ended: ['matched', 'returned', 'kept', 'ignored', 'joined'],
    list: list('/v1/unmatched-credits', (locale) => [
      ...[uid, state, amount, flags],
      at('RECEIVED', (row) => row.received_at, locale),
      { title: 'DESCRIPTION', value: (row) => row.description ?? '', isText: true },
    ]),
  },
  {
    name: 'notification',
    ...{ get: '/v1/notifications/{notification}', key: 'notification' },
    ended: ['acknowledged'],
    list: list('/v1/notifications', (locale) => [
      ...[id, state],
      { title: 'TYPE', value: (row) => row.type },
      flags,
      at('RECEIVED', (row) => row.received_at, locale),
    ]),
  },
  {
    name: 'webhook-endpoint',
    ...{ get: '/v1/webhook-endpoints/{id}', key: 'id' },
    list: list('/v1/webhook-endpoints', () => [
      id,
      { title: 'STATUS', value: (row) => row.status },
      flags,
      { title: 'WAITING', value: (row) => String(row.delivery.waiting_resources), isNumber: true },
      { title: 'URL', value: (row) => row.url, isText: true },
    ]),
  },
];

/** Lists whose rows are no resources of their own. */
const OTHER_LISTS: Readonly<Record<string, ListKind>> = {
  events: list('/v1/events', (locale) => [
    at('AT', (row) => row.created_at, locale),
    { title: 'TYPE', value: (row) => row.type },
    { title: 'RESOURCE', value: (row) => row.resource.uid },
    {
      title: 'CAUSE',
      value: (row) => [row.reason.principal ?? row.reason.source, row.reason.what].filter(Boolean).join(': '),
    },
  ]),
  audit: list('/v1/audit', (locale) => [
    at('AT', (row) => row.at, locale),
    { title: 'ACTION', value: (row) => row.action },
    { title: 'OUTCOME', value: (row) => row.outcome },
    { title: 'PRINCIPAL', value: (row) => row.principal ?? '–' },
    { title: 'TARGET', value: (row) => row.target ?? '', isText: true },
  ]),
  rows: list(
    '/v1/batches/{uid}/rows',
    () => [
      { title: 'ROW', value: (row) => String(row.index), isNumber: true },
      uid,
      { title: 'OUTCOME', value: (row) => row.outcome },
      amount,
      { title: 'STATE', value: (row) => words(row.state) },
      {
        title: 'REFUSED',
        value: (row) => row.refusals.map(({ code, detail }) => `${code}: ${detail}`).join(' '),
        isText: true,
      },
    ],
    'uid',
  ),
  entries: list(
    '/v1/float-accounts/{uid}/entries',
    (locale) => [
      at('AT', (row) => row.at, locale),
      amount,
      { title: 'BALANCE', value: (row) => dollars(row.balance_after), isNumber: true },
      { title: 'FOR', value: (row) => row.payment ?? row.refund ?? row.case ?? '–' },
      { title: 'DESCRIPTION', value: (row) => row.description ?? '', isText: true },
    ],
    'uid',
  ),
  deliveries: list(
    '/v1/webhook-endpoints/{id}/deliveries',
    (locale) => [
      at('AT', (row) => row.at, locale),
      { title: 'OUTCOME', value: (row) => words(row.outcome) },
      { title: 'TYPE', value: (row) => row.event.type },
      { title: 'STATUS', value: (row) => String(row.status ?? row.problem ?? '–') },
      { title: 'RESOURCE', value: (row) => row.event.resource },
    ],
    'id',
  ),
};

export const pluralOf = (name: string): string =>
  name.endsWith('y') ? `${name.slice(0, -1)}ies` : name.endsWith('ch') ? `${name}es` : `${name}s`;

export const LISTS: Readonly<Record<string, ListKind>> = {
  ...Object.fromEntries(KINDS.map((kind) => [pluralOf(kind.name), kind.list])),
  ...OTHER_LISTS,
};

/** @param name singular or plural. @throws Failure */
export function kindOf(name: string): Kind {
  const found = KINDS.find((kind) => kind.name === name || pluralOf(kind.name) === name);
  if (found) return found;
  throw usage(`expected one of ${KINDS.map((kind) => kind.name).join(', ')}, found ${name}`);
}

/** @param name plural, or the singular of it. @throws Failure */
export function listOf(name: string): ListKind {
  const found = LISTS[name] ?? KINDS.find((kind) => kind.name === name)?.list;
  if (found) return found;
  throw usage(`expected one of ${Object.keys(LISTS).join(', ')}, found ${name}`);
}
