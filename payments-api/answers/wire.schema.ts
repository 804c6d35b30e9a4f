// The provider's answers, parsed tolerantly: any field may be null, absent, unknown or malformed.
// A malformed field counts as absent; only a value that is not an object fails.
import { z } from 'zod';
import { MANDATE, ORDER, PARTY, TERMS, fieldsOf } from '../shapes.js';
import { instantFrom, isObject, boundedObject } from './values.js';
import type { Json } from '../../domain/facts/fact.js';

/** One step, where zod's nullish().catch() takes four. Lists contain hundreds of resources with forty such fields. */
const tolerant = <Type>(is: (value: unknown) => value is Type) =>
  z.transform((value: unknown): Type | null | undefined => (value === null || is(value) ? value : undefined));
const string = tolerant((value) => typeof value === 'string');
/** Longer than any text that the provider accepts. Longer texts are cut, so that they do not burden every workflow. */
const MAX_TEXT = 1000;
const cutTo = (length: number) =>
  z.transform((value: unknown): string | null | undefined =>
    typeof value === 'string' ? value.slice(0, length) : value === null ? null : undefined,
  );
const stored = cutTo(MAX_TEXT);
/** Short, because states also appear in ids, flags and lists. */
const stateWord = cutTo(64);
/** The provider accepts 2 kB; an answer may encode them in a longer form. */
const MAX_METADATA = 8 * 1024;
const int = tolerant((value): value is number => Number.isSafeInteger(value));
const boolean = tolerant((value) => typeof value === 'boolean');

/** The schema of each kind of field. */
export const LEAVES = {
  word: stored,
  uid: stored,
  text35: stored,
  text140: stored,
  text280: stored,
  count: int,
  cents: int,
  date: stored,
  /** UTC with milliseconds; undefined if it is not an instant. */
  instant: z.transform(instantFrom),
  flag: boolean,
  account: z
    .object({ type: z.string().max(MAX_TEXT), value: z.string().max(MAX_TEXT) })
    .nullish()
    .catch(undefined),
  metadata: z.transform((value: unknown): { [key: string]: Json } | undefined => {
    if (!isObject(value)) return undefined;
    const metadata = boundedObject(value);
    return JSON.stringify(metadata).length <= MAX_METADATA ? metadata : undefined;
  }),
};

/** The same for optional fields. */
export const text = string.optional();
export const integer = int.optional();
export const flag = boolean.optional();
export const instant = LEAVES.instant.optional();
export const anything = z.unknown().optional();

/** A party. Payments write `name`, agreements `party_name` (docs/provider.md#differences). */
const Party = z
  .object({ name: string, ...fieldsOf(PARTY, LEAVES) })
  .transform(({ name, party_name, ultimate_party_name, account_identifier, payment_account_uid }) => ({
    party_name: party_name ?? name, // No rest and no spread: they would cost as much as all the rest.
    ultimate_party_name,
    account_identifier,
    payment_account_uid,
  }))
  .nullish()
  .catch(undefined);

const KINDS = {
  ...LEAVES,
  party: Party,
  terms: z.object(fieldsOf(TERMS, LEAVES)).nullish().catch(undefined),
  initiator: z
    .object({ name: stored, client_id: stored, legal_name: stored, abn: stored, acn: stored })
    .nullish()
    .catch(undefined),
};

/** The content of an agreement (docs/provider.md#agreements-resource and #agreements-creation). */
export const WireMandate = z.object(fieldsOf(MANDATE, KINDS));

/** The state of an agreement. The create answer may contain `id` instead of `uid` (docs/provider.md#differences). */
export const WireAgreement = z.object({
  uid: string,
  id: string,
  state: stateWord,
  state_reason: anything,
  state_caused_by: stored,
  mms_agreement_id: stored,
  created_at: LEAVES.instant,
});
export type WireAgreement = z.output<typeof WireAgreement>;

/** The content of a payment (docs/provider.md#payments-resource and #payments-creation). */
export const WireOrder = z.object(fieldsOf(ORDER, KINDS));
export type WireOrder = z.output<typeof WireOrder>;

export const WirePayment = z.object({
  uid: string,
  id: string,
  state: stateWord,
  failure: anything,
  debtor: WireMandate.shape.debtor,
  created_at: LEAVES.instant,
});

/** A reason or a failure (docs/provider.md#history, #payments-failures). */
export const WireReason = z.object({
  code: stored,
  title: stored,
  detail: stored,
  narrative: stored,
  retryable: boolean,
});

/** The event in an envelope, or one history entry (docs/provider.md#webhooks-envelope, #history). Other fields are kept. */
export const WireEvent = z.looseObject({
  id: text,
  type: text,
  resource_type: text,
  resource_uid: text,
  published_at: anything,
  body: anything,
  resource_metadata: anything,
});
export type WireEvent = z.output<typeof WireEvent>;

/** One error (docs/provider.md#errors). */
export const WireError = z
  .object({
    code: text,
    title: text,
    detail: text,
    retryable: flag,
    meta: z.object({ resource_uid: text }).nullish().catch(undefined),
  })
  .catch({});
export type WireError = z.output<typeof WireError>;

/** Error bodies: a list, or one sentence. Account validation adds its uid beside them (docs/provider.md#errors). */
export const WireErrors = z.object({
  data: z.object({ uid: text }).nullish().catch(undefined),
  errors: z
    .union([z.string(), z.array(WireError)])
    .nullish()
    .catch(undefined),
});

/** One page of a list: `data`, and the link to the next page (docs/provider.md#lists). */
export const WirePage = z.object({
  data: z.array(z.unknown()),
  links: z.object({ next: text }).nullish().catch(undefined),
});
