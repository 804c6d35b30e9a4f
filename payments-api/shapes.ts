// The fields of agreements and payments under the provider's names, each with the kind of its value (docs/provider.md#agreements-creation, #payments-creation).
// requests/parts.schema.ts defines the kinds for requests, answers/wire.schema.ts for answers. Data only.
import type { Mandate, Party, PaymentOrder, PaymentTerms } from '../domain/agreement/mandate.js';

export const PARTY = {
  party_name: 'text140',
  ultimate_party_name: 'text140',
  account_identifier: 'account',
  payment_account_uid: 'uid',
} as const satisfies Record<keyof Party, string>;

export const TERMS = {
  type: 'word',
  frequency: 'word',
  count: 'count',
  amount: 'cents',
  max_amount: 'cents',
  first_payment_amount: 'cents',
  last_payment_amount: 'cents',
  first_payment_date: 'date',
  last_payment_date: 'date',
} as const satisfies Record<keyof PaymentTerms, string>;

export const MANDATE = {
  purpose: 'word',
  description: 'text140',
  debtor: 'party',
  creditor: 'party',
  initiator: 'initiator',
  payment_terms: 'terms',
  validity_start_date: 'date',
  validity_end_date: 'date',
  resolution_requested_before: 'instant',
  cancel_if_unresolved: 'flag',
  metadata: 'metadata',
} as const satisfies Record<keyof Mandate, string>;

export const ORDER = {
  agreement_uid: 'uid',
  amount: 'cents',
  priority: 'word',
  reference: 'text35',
  description: 'text280',
  creditor_reference: 'text35',
  creditor: 'party',
  last_payment: 'flag',
  metadata: 'metadata',
} as const satisfies Record<keyof PaymentOrder, string>;

/** The fields, each with the schema of its kind. */
export function fieldsOf<Kinds, Fields extends Readonly<Record<string, keyof Kinds>>>(
  fields: Fields,
  kinds: Kinds,
) {
  const schemas = Object.entries(fields).map(([name, kind]) => [name, kinds[kind]]);
  return Object.fromEntries(schemas) as { -readonly [Name in keyof Fields]: Kinds[Fields[Name]] };
}
