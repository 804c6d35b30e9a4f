// What the provider answers, read tolerantly: any field may be null, absent, unknown or of another shape (facts head).
// A field of the wrong shape counts as absent; only what is no object at all fails.
import { z } from 'zod';
import { MANDATE, ORDER, PARTY, TERMS, fieldsOf } from '../shapes.js';
import { instantFrom, isObject, keptObject } from './values.js';
import type { Json } from '../../domain/fact.js';

/** In one step, where zod's own nullish().catch() takes four: answers come by the hundred, an agreement has forty such fields. */
const tolerant = <Type>(is: (value: unknown) => value is Type) =>
  z
    .transform((value: unknown): Type | null | undefined => (value === null || is(value) ? value : undefined))
    .optional();
export const text = tolerant((value) => typeof value === 'string');
export const integer = tolerant((value): value is number => Number.isSafeInteger(value));
export const flag = tolerant((value) => typeof value === 'boolean');
export const anything = z.unknown().optional();
/** UTC with milliseconds; nothing for what is no instant. */
export const instant = z.transform(instantFrom).optional();

/** What is read of each kind of field. */
export const LEAVES = {
  word: text,
  uid: text,
  text35: text,
  text140: text,
  text280: text,
  count: integer,
  cents: integer,
  date: text,
  instant,
  flag,
  account: z.object({ type: z.string(), value: z.string() }).nullish().catch(undefined),
  metadata: z
    .transform((value: unknown): { [key: string]: Json } | undefined =>
      isObject(value) ? keptObject(value) : undefined,
    )
    .optional(),
};

/** A party; payments write `name` where agreements write `party_name` (facts 17). */
const Party = z
  .object({ name: text, ...fieldsOf(PARTY, LEAVES) })
  .transform(({ name, ...party }) => ({ ...party, party_name: party.party_name ?? name }))
  .nullish()
  .catch(undefined);

const KINDS = {
  ...LEAVES,
  party: Party,
  terms: z.object(fieldsOf(TERMS, LEAVES)).nullish().catch(undefined),
  initiator: z.object({ name: text, client_id: text }).nullish().catch(undefined),
};

/** What an agreement says (interface 2.3 and facts 7). */
export const WireMandate = z.object(fieldsOf(MANDATE, KINDS));

/** How an agreement stands; the create answer may carry `id` instead of `uid` (facts 17). */
export const WireAgreement = z.object({
  uid: text,
  id: text,
  state: text,
  state_reason: anything,
  state_caused_by: text,
  mms_agreement_id: text,
  created_at: instant,
});
export type WireAgreement = z.output<typeof WireAgreement>;

/** What a payment asks for (interface 2.4 and facts 8). */
export const WireOrder = z.object(fieldsOf(ORDER, KINDS));
export type WireOrder = z.output<typeof WireOrder>;

export const WirePayment = z.object({
  uid: text,
  id: text,
  state: text,
  failure: anything,
  created_at: instant,
});

/** A reason or a failure (interface 2.2, facts 8.3). */
export const WireReason = z.object({
  code: text,
  title: text,
  detail: text,
  narrative: text,
  retryable: flag,
});

/** The event inside an envelope, or one history entry (interface 2.1, 2.2); what else it says is kept. */
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

/** One complaint (facts 5). */
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

/** Error bodies: a list, or one sentence; account validation names its own uid beside them (facts 5). */
export const WireErrors = z.object({
  data: z.object({ uid: text }).nullish().catch(undefined),
  errors: z
    .union([z.string(), z.array(WireError)])
    .nullish()
    .catch(undefined),
});

/** One page of a list: `data`, and where to go on (facts 6). */
export const WirePage = z.object({
  data: z.array(z.unknown()),
  links: z.object({ next: text }).nullish().catch(undefined),
});
