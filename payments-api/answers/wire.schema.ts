// What the provider answers, read tolerantly: any field may be null, absent, unknown or of another shape (facts head).
// A field of the wrong shape counts as absent; only what is no object at all fails.
import { z } from 'zod';

export const text = z.string().nullish().catch(undefined);
export const integer = z.int().nullish().catch(undefined);
export const flag = z.boolean().nullish().catch(undefined);

/** The same in one step instead of four, for what comes by the hundred: an agreement has forty such fields. */
const swiftly = <Type>(is: (value: unknown) => value is Type) =>
  z.transform((value: unknown): Type | null | undefined => (value === null || is(value) ? value : undefined));
const swiftText = swiftly((value) => typeof value === 'string');
const swiftInteger = swiftly((value): value is number => Number.isSafeInteger(value));
const swiftFlag = swiftly((value) => typeof value === 'boolean');
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
    name: swiftText,
    party_name: swiftText,
    ultimate_party_name: swiftText,
    account_identifier: AccountIdentifier,
    payment_account_uid: swiftText,
  })
  .transform(({ name, party_name, ultimate_party_name, account_identifier, payment_account_uid }) => ({
    party_name: party_name ?? name,
    ultimate_party_name,
    account_identifier,
    payment_account_uid,
  }))
  .nullish()
  .catch(undefined);

const PaymentTerms = z
  .object({
    type: swiftText,
    frequency: swiftText,
    count: swiftInteger,
    amount: swiftInteger,
    max_amount: swiftInteger,
    first_payment_amount: swiftInteger,
    last_payment_amount: swiftInteger,
    first_payment_date: swiftText,
    last_payment_date: swiftText,
  })
  .nullish()
  .catch(undefined);

/** Interface 2.3 and facts 7; the create answer may carry `id` instead of `uid` (facts 17). */
export const WireAgreement = z.object({
  uid: swiftText,
  id: swiftText,
  state: swiftText,
  state_reason: anything,
  state_caused_by: swiftText,
  mms_agreement_id: swiftText,
  created_at: anything,
  purpose: swiftText,
  description: swiftText,
  debtor: Party,
  creditor: Party,
  initiator: z.object({ name: swiftText, client_id: swiftText }).nullish().catch(undefined),
  payment_terms: PaymentTerms,
  validity_start_date: swiftText,
  validity_end_date: swiftText,
  resolution_requested_before: anything,
  cancel_if_unresolved: swiftFlag,
  metadata: anything,
});
export type WireAgreement = z.output<typeof WireAgreement>;

/** Interface 2.4 and facts 8. */
export const WirePayment = z.object({
  uid: swiftText,
  id: swiftText,
  state: swiftText,
  agreement_uid: swiftText,
  amount: swiftInteger,
  priority: swiftText,
  reference: swiftText,
  description: swiftText,
  creditor_reference: swiftText,
  creditor: Party,
  last_payment: swiftFlag,
  metadata: anything,
  failure: anything,
  created_at: anything,
});
export type WirePayment = z.output<typeof WirePayment>;

/** A reason or a failure (interface 2.2, facts 8.3). */
export const WireReason = z.object({
  code: swiftText,
  title: swiftText,
  detail: swiftText,
  narrative: swiftText,
  retryable: swiftFlag,
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
