// What the records may store in the clear, and how personal data is removed from a stored view or entry. Only fields of these lists keep
// their value, and only if it has the expected form. So a field that the provider adds later is erased too. Pure.
import type { RecordBatch } from './batch.js';

/** A code of the provider or of ours. Names, accounts and tokens have other forms. */
const CODE = /^(?=.{1,64}$)(?:[a-z][a-z_]*(?:[.-][a-z_]+)*|[A-Z]{1,8}\d{0,6})$/;
const ID = /^[A-Za-z0-9][\w.:/-]{0,199}$/;

export const codeIn = (value: unknown): string | null =>
  typeof value === 'string' && CODE.test(value) ? value : null;
export const idIn = (value: unknown): string | null =>
  typeof value === 'string' && ID.test(value) ? value : null;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Whether an id of an event has the form that the provider documents. Any other may contain a name, so it is stored in clear only as a hash. */
export const isOpaqueId = (id: string): boolean => UUID.test(id);

const ERASED = '[erased]';

/** Everything in such a field is about a person, except types. */
const PERSONAL =
  /person|(?<!counter)party|debtor|identity|requester|alias|holder|beneficial|birth|account_identifier/i;
const CODES =
  /^(?:state|status|from|code|kind|type|stage|what|source|outcome|step|part|priority|purpose|frequency|currency|rule|command|decision|onMissed|onHoliday|causedBy|caused_by|state_caused_by|resourceType|resource_type)$/;
const IDS =
  /^(?:id|uid|actor|by|requestedBy|workflowId|factId|eventId|(?:connection|client|parent_client|counterparty|mms_?agreement|float_bank_account)(?:_id|Id)|(?:proven|named)ConnectionId|(?:agreement|payment|original_payment|refund|resource|client|counterparty|account)_?[uU]id)$/;
const TIMES = /(?:^|_)(?:at|since|until|before|date)$|(?:At|Since|Until|Before|Date)$/;
const NUMBERS =
  /amount|balance|cents|(?<!ac)count|submissions|paymentsOlder|generation|version|sequence|sizes?$|times$|tries$|attempts?$|round$|failures$/i;
const A_TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** The same structure with amounts, times, ids, states and codes. Every other text and number is replaced. */
export const withoutPersonalData = (value: unknown): unknown => erased('', value, false);

/** The same batch without personal data, and without what a later run needs. */
export const batchWithoutPersonalData = ({ carried: _, ...batch }: RecordBatch): RecordBatch => ({
  ...batch,
  entries: batch.entries.map(({ data, event, ...entry }) => ({
    ...entry,
    data: withoutPersonalData(data) as object,
    ...(event && { event: { ...event, view: withoutPersonalData(event.view) as object | undefined } }),
  })),
  row: { ...batch.row, view: withoutPersonalData(batch.row.view) as object },
});

function erased(name: string, value: unknown, isPersonal: boolean): unknown {
  if (name === 'metadata') return {};
  if (Array.isArray(value)) return value.map((item) => erased(name, item, isPersonal));
  if (typeof value === 'string') return keepsText(name, value, isPersonal) ? value : ERASED;
  if (typeof value === 'number') return !isPersonal && NUMBERS.test(name) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  const isInside = isPersonal || PERSONAL.test(name);
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, erased(fieldOf(name, field), inner, isInside)]),
  );
}

/** `{ amount: { value } }` is an amount. */
const fieldOf = (name: string, field: string): string => (field === 'value' ? name : field);

function keepsText(name: string, text: string, isPersonal: boolean): boolean {
  if (isPersonal) return name === 'type' && codeIn(text) !== null;
  if (CODES.test(name)) return codeIn(text) !== null;
  if (IDS.test(name)) return idIn(text) !== null;
  return TIMES.test(name) && !PERSONAL.test(name) && A_TIME.test(text);
}
