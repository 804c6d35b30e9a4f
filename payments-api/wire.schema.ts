// What the provider answers, read tolerantly: any field may be null, absent, unknown or of another shape (facts head).
// A field of the wrong shape counts as absent; only what is no object at all fails.
import { z } from 'zod';

export const text = z.string().nullish().catch(undefined);
export const integer = z.int().nullish().catch(undefined);
export const flag = z.boolean().nullish().catch(undefined);
const anything = z.unknown().optional();

const ZONED = z.iso.datetime({ offset: true });

/** RFC 3339 with a zone, or as in `2021-09-02 02:24:50 UTC` (facts 11); a date that does not exist is none. */
export const WireInstant = z
  .string()
  .transform((written) => written.replace(/^(\S{10}) (\S{8,18}) UTC$/, '$1T$2Z'))
  .pipe(ZONED);

export const AccountIdentifier = z.object({ type: z.string(), value: z.string() }).nullish().catch(undefined);

/** A party; payments write `name` where agreements write `party_name` (facts 17). */
const Party = z
  .object({
    name: text,
    party_name: text,
    ultimate_party_name: text,
    account_identifier: AccountIdentifier,
    payment_account_uid: text,
  })
  .transform(({ name, ...party }) => ({ ...party, party_name: party.party_name ?? name }))
  .nullish()
  .catch(undefined);

const PaymentTerms = z
  .object({
    type: text,
    frequency: text,
    count: integer,
    amount: integer,
    max_amount: integer,
    first_payment_amount: integer,
    last_payment_amount: integer,
    first_payment_date: text,
    last_payment_date: text,
  })
  .nullish()
  .catch(undefined);

/** Interface 2.3 and facts 7; the create answer may carry `id` instead of `uid` (facts 17). */
export const WireAgreement = z.object({
  uid: text,
  id: text,
  state: text,
  state_reason: anything,
  state_caused_by: text,
  mms_agreement_id: text,
  created_at: anything,
  purpose: text,
  description: text,
  debtor: Party,
  creditor: Party,
  initiator: z.object({ name: text, client_id: text }).nullish().catch(undefined),
  payment_terms: PaymentTerms,
  validity_start_date: text,
  validity_end_date: text,
  resolution_requested_before: anything,
  cancel_if_unresolved: flag,
  metadata: anything,
});
export type WireAgreement = z.output<typeof WireAgreement>;

/** Interface 2.4 and facts 8. */
export const WirePayment = z.object({
  uid: text,
  id: text,
  state: text,
  agreement_uid: text,
  amount: integer,
  priority: text,
  reference: text,
  description: text,
  creditor_reference: text,
  creditor: Party,
  last_payment: flag,
  metadata: anything,
  failure: anything,
  created_at: anything,
});
export type WirePayment = z.output<typeof WirePayment>;

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
