// The columns of a row, taken from a workflow's view. Only ids, states, amounts, dates and codes: everything else stays sealed. The provider may
// have sent anything, so a value of another form becomes null. Pure.
import { createHash } from 'node:crypto';
import { codeIn, idIn, isOpaqueId } from '../domain/records/erasure.js';
import { hasEnded, type RESOURCES, type ResourceName } from '../domain/resources.js';

type Column = (view: unknown) => unknown;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Stands for a code that has not the form of one. */
const UNREADABLE = 'unreadable';

export const nameIn = (value: unknown): string => codeIn(value) ?? UNREADABLE;
export const instantIn = (value: unknown): Date | null => {
  const at = typeof value === 'string' ? new Date(value) : undefined;
  const year = at?.getUTCFullYear() ?? NaN;
  return at !== undefined && year >= 1 && year <= 9999 ? at : null;
};
/** An event's id, if the provider chose it. A hash unless it has the documented form. */
export const eventIdIn = (value: unknown): string | null =>
  typeof value !== 'string' || isOpaqueId(value)
    ? idIn(value)
    : `sha256-${createHash('sha256').update(value).digest('hex')}`;
const dayIn = (value: unknown): string | null =>
  typeof value === 'string' && DAY.test(value) && instantIn(value)?.toISOString().startsWith(value) === true
    ? value
    : null;
const wholeIn = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

/** Follows a path into a value of any form. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    value,
  );
const listAt = (view: unknown, ...path: string[]): unknown[] => {
  const list = valueAt(view, path);
  return Array.isArray(list) ? list : [];
};

const of =
  <T>(read: (value: unknown) => T) =>
  (...path: string[]): Column =>
  (view) =>
    read(valueAt(view, path));
const [code, id, day, whole, instant] = [of(codeIn), of(idIn), of(dayIn), of(wholeIn), of(instantIn)];
const flag = of((value) => (typeof value === 'boolean' ? value : null));

/** The first that is known. */
const first =
  (...columns: Column[]): Column =>
  (view) =>
    columns.map((column) => column(view)).find((value) => value !== null) ?? null;
const whileIn =
  (state: string, column: Column): Column =>
  (view) =>
    valueAt(view, ['state']) === state ? column(view) : null;

export const stateIn = (view: unknown): string =>
  nameIn(valueAt(view, ['state']) ?? valueAt(view, ['status']));

const COMMON: Readonly<Record<string, Column>> = {
  state: stateIn,
  state_since: instant('stateSince'),
  state_since_source: code('stateSinceSource'),
  code: first(code('stateReason', 'code'), code('failure', 'code'), code('lastFailure', 'code')),
  awaiting: code('awaiting', 'what'),
  awaiting_since: instant('awaiting', 'since'),
  awaiting_until: instant('awaiting', 'until'),
  attention: (view) => listAt(view, 'attention').flatMap((raised) => codeIn(valueAt(raised, ['code'])) ?? []),
  requested_at: first(instant('requestedAt'), instant('createdAt'), instant('startedAt')),
  last_fact_at: instant('lastFactAt'),
};

const terms = ['mandate', 'payment_terms'];
/** An owed payment is not tried before `from`. A date that is no business day may be replaced by `takenOn`. */
const plannedDay = first(day('from'), day('takenOn'), day('date'));

/** A resource with a parent has the uid of its parent in this column, by which it expires and is erased. */
type ParentColumn<Row> = Row extends { parent: infer Parent extends string }
  ? Readonly<Record<`${Parent}_uid`, Column>>
  : object;

/** The columns that only one resource has. */
const OWN: {
  readonly [Name in ResourceName]: Readonly<Record<string, Column>> & ParentColumn<(typeof RESOURCES)[Name]>;
} = {
  agreement: {
    client_id: id('mandate', 'initiator', 'client_id'),
    terms_type: code(...terms, 'type'),
    frequency: code(...terms, 'frequency'),
    amount: whole(...terms, 'amount'),
    maximum_amount: whole(...terms, 'max_amount'),
    validity_start_date: day('mandate', 'validity_start_date'),
    validity_end_date: day('mandate', 'validity_end_date'),
    payer_decides_until: instant('payerDecides', 'until'),
    consecutive_failures: whole('consecutiveFailures', 'count'),
    adopted: flag('adopted'),
    planned: plannedIn,
    payment_account_uids: accountUidsIn,
  },
  payment: {
    agreement_uid: id('order', 'agreement_uid'),
    amount: whole('order', 'amount'),
    refunded_amount: refundedIn,
    submissions: whole('submissions'),
    submit_before: instant('submitBefore'),
    settled_at: whileIn('settled', instant('stateSince')),
  },
  refund: {
    payment_uid: id('order', 'original_payment_uid'),
    amount: whole('order', 'refund_payment', 'amount'),
    submissions: whole('submissions'),
    processed_at: whileIn('processed', instant('stateSince')),
  },
  client: {
    client_id: id('clientId'),
    parent_client_id: id('order', 'parent_client_id'),
    adopted: flag('adopted'),
  },
  counterparty: {
    counterparty_id: id('counterpartyId'),
    payment_account_uids: (view) =>
      listAt(view, 'accounts').flatMap((one) => idIn(valueAt(one, ['uid'])) ?? []),
    adopted: flag('adopted'),
  },
  onboarding: {
    step: currentStepIn,
    client_uid: id('parts', 'client', 'uid'),
    counterparty_uid: id('parts', 'counterparty', 'uid'),
    agreement_uid: id('parts', 'agreement', 'uid'),
    payment_uid: id('parts', 'payment', 'uid'),
  },
  batch: {
    kind: code('kind'),
    is_dry_run: flag('isDryRun'),
    row_count: (view) => sum(listAt(view, 'chunks').map((chunk) => valueAt(chunk, ['size']))),
    counts: (view) => wholesIn(valueAt(view, ['counts'])),
  },
  connection: {
    account_id: id('account', 'id'),
    scope: of(scopeIn)('scope'),
    generation: whole('generation'),
    expires_at: instant('expiresAt'),
  },
  stop: {
    all_since: (view) =>
      stopsIn(view, true)
        .map(instant('since'))
        .find((at) => at !== null) ?? null,
    connection_ids: (view) => [
      ...new Set(stopsIn(view, false).flatMap((stop) => idIn(valueAt(stop, ['connectionId'])) ?? [])),
    ],
  },
  'float-account': {
    balance: whole('balance'),
    entry_count: whole('entryCount'),
    last_entry_at: instant('lastEntry', 'at'),
  },
  'unmatched-credit': {
    account_uid: id('accountUid'),
    amount: whole('amount'),
    received_at: instant('receivedAt'),
    confirmed_at: instant('confirmedAt'),
    entry_id: id('entry', 'id'),
    payment_uid: id('resolution', 'paymentUid'),
    agreement_uid: id('resolution', 'agreementUid'),
  },
  notification: {
    resource_type: code('resourceType'),
    event_type: code('fact', 'type'),
    event_id: of(eventIdIn)('fact', 'id'),
    published_at: instant('fact', 'publishedAt'),
    acknowledged_at: instant('acknowledgement', 'at'),
  },
};

type Columns = Record<string, unknown>;

const taken = (columns: Readonly<Record<string, Column>>, view: unknown): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column(view)]));

/** The columns from its view that every row has. */
export const commonColumnsOf = (view: unknown): Columns => taken(COMMON, view);
/** The columns from its view that only its resource has. */
export const ownColumnsOf = (resource: ResourceName, view: unknown): Columns => taken(OWN[resource], view);
/** Every column of a row except its ids, its version, and the sealed view. */
export const columnsOf = (resource: ResourceName, view: unknown): Columns => ({
  ...commonColumnsOf(view),
  ...ownColumnsOf(resource, view),
});

const sum = (values: readonly unknown[]): number =>
  values.reduce<number>((total, value) => total + (wholeIn(value) ?? 0), 0);

/** The payments that the plan of an agreement will request, each on the day it is taken. Those that the terms forbid are left out. */
function plannedIn(view: unknown): { day: string; amount: number }[] | null {
  if (hasEnded('agreement', stateIn(view))) return null;
  const owed = valueAt(view, ['plan', 'owed']);
  const allowed = listAt(view, 'plan', 'upcoming').filter((one) => valueAt(one, ['refusal']) === undefined);
  const planned = [...(owed === undefined ? [] : [owed]), ...allowed].flatMap((one) => {
    const day = plannedDay(one);
    const amount = wholeIn(valueAt(one, ['amount']));
    return typeof day === 'string' && amount !== null ? [{ day, amount }] : [];
  });
  return planned.length === 0 ? null : planned;
}

/** The accounts of counterparties that it names, or named in its request. */
function accountUidsIn(view: unknown): string[] {
  const mandates = [valueAt(view, ['mandate']), valueAt(view, ['requestedMandate'])];
  return [...new Set(mandates.flatMap((one) => idIn(valueAt(one, ['debtor', 'payment_account_uid'])) ?? []))];
}

/** Cents that the payer has back. */
function refundedIn(view: unknown): number {
  const processed = listAt(view, 'refunds').filter((refund) => valueAt(refund, ['outcome']) === 'processed');
  return sum(processed.map((refund) => valueAt(refund, ['amount'])));
}

function currentStepIn(view: unknown): string | null {
  const isOpen = (step: unknown): boolean => !['done', 'skipped'].includes(String(valueAt(step, ['state'])));
  return codeIn(valueAt(listAt(view, 'steps').find(isOpen), ['step']));
}

const wholesIn = (counts: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries(typeof counts === 'object' ? { ...counts } : {}).flatMap(([name, value]) =>
      codeIn(name) !== null && wholeIn(value) !== null ? [[name, value as number]] : [],
    ),
  );

/** Scopes are codes, separated by spaces. */
function scopeIn(value: unknown): string | null {
  const scopes = typeof value === 'string' ? value.split(' ') : [];
  return scopes.length > 0 && scopes.every((scope) => codeIn(scope) !== null) ? scopes.join(' ') : null;
}

const stopsIn = (view: unknown, isForAll: boolean): unknown[] =>
  listAt(view, 'stops').filter((stop) => (valueAt(stop, ['connectionId']) === undefined) === isForAll);
