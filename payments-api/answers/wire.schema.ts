// What the provider answers, read tolerantly: any field may be null, absent, unknown or of another shape (facts head).
// A field of the wrong shape counts as absent; only what is no object at all fails.
import { z } from 'zod';
import { MANDATE, ORDER, PARTY, TERMS, fieldsOf } from '../shapes.js';
import { instantFrom, isObject, boundedObject } from './values.js';
import type { Json } from '../../domain/facts/fact.js';

/** In one step, where zod's own nullish().catch() takes four: answers come by the hundred, an agreement has forty such fields. */
const tolerant = <Type>(is: (value: unknown) => value is Type) =>
  z.transform((value: unknown): Type | null | undefined => (value === null || is(value) ? value : undefined));
const string = tolerant((value) => typeof value === 'string');
/** Longer than any text that the provider takes; of a longer one so much is read, lest it weigh on every workflow. */
const MAX_TEXT = 1000;
const cutTo = (length: number) =>
  z.transform((value: unknown): string | null | undefined =>
    typeof value === 'string' ? value.slice(0, length) : value === null ? null : undefined,
  );
const stored = cutTo(MAX_TEXT);
/** A state stands in ids, flags and lists besides. */
const stateWord = cutTo(64);
/** The provider takes 2 kB; an answer may write them in other words. */
const MAX_METADATA = 8 * 1024;
const int = tolerant((value): value is number => Number.isSafeInteger(value));
const boolean = tolerant((value) => typeof value === 'boolean');

/** What is read of each kind of field. */
export const LEAVES = {
  word: stored,
  uid: stored,
  text35: stored,
  text140: stored,
  text280: stored,
  count: int,
  cents: int,
  date: stored,
  /** UTC with milliseconds; nothing for what is no instant. */
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

/** The same for fields that a type need not name. */
export const text = string.optional();
export const integer = int.optional();
export const flag = boolean.optional();
export const instant = LEAVES.instant.optional();
export const anything = z.unknown().optional();

/** A party; payments write `name` where agreements write `party_name` (docs/provider.md#differences). */
const Party = z
  .object({ name: string, ...fieldsOf(PARTY, LEAVES) })
  .transform(({ name, party_name, ultimate_party_name, account_identifier, payment_account_uid }) => ({
    party_name: party_name ?? name, // no rest and no spread: they cost as much as all else
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

/** What an agreement says (docs/provider.md#agreements-resource and #agreements-creation). */
export const WireMandate = z.object(fieldsOf(MANDATE, KINDS));

/** How an agreement stands; the create answer may carry `id` instead of `uid` (docs/provider.md#differences). */
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

/** What a payment asks for (docs/provider.md#payments-resource and #payments-creation). */
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

/** The event inside an envelope, or one history entry (docs/provider.md#webhooks-envelope, #history); what else it says is kept. */
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

/** One complaint (docs/provider.md#errors). */
export const WireError = z
  .object({
    code: text,
    title: text,
    detail: text,
    retryable: flag,
    meta: z.object({ resource_ref: text, resource_uid: text }).nullish().catch(undefined),
  })
  .catch({});
export type WireError = z.output<typeof WireError>;

/** Error bodies: a list, or one sentence; account validation names its own uid beside them (docs/provider.md#errors). */
export const WireErrors = z.object({
  data: z.object({ uid: text }).nullish().catch(undefined),
  errors: z
    .union([z.string(), z.array(WireError)])
    .nullish()
    .catch(undefined),
});

/** One page of a list: `data`, and where to go on (docs/provider.md#lists). */
export const WirePage = z.object({
  data: z.array(z.unknown()),
  links: z.object({ next: text }).nullish().catch(undefined),
});
