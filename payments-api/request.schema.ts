// What we put to the provider, closed as its own schemas are (facts 1). The top level takes what it knows and leaves
// the rest, since callers hand over things of their own beside it; below that an unknown field is refused.
import { z } from 'zod';

const text = z.string().nullish();
const cents = z.int().min(1).max(1_000_000_000);

const Party = z
  .strictObject({
    party_name: text,
    ultimate_party_name: text,
    account_identifier: z.strictObject({ type: z.string(), value: z.string() }).nullish(),
    payment_account_uid: text,
  })
  .nullish();

const Metadata = z.record(z.string(), z.json()).nullish();

/** Facts 7.1. Which of the initiator's fields a version takes is the business of version-rules.ts. */
export const AgreementRequest = z.object({
  uid: z.string(),
  purpose: text,
  description: text,
  debtor: Party,
  creditor: Party,
  initiator: z
    .strictObject({ name: text, client_id: text, legal_name: text, abn: text, acn: text })
    .nullish(),
  payment_terms: z
    .strictObject({
      type: text,
      frequency: text,
      count: z.int().min(1).nullish(),
      amount: cents.nullish(),
      max_amount: cents.nullish(),
      first_payment_amount: cents.nullish(),
      last_payment_amount: cents.nullish(),
      first_payment_date: text,
      last_payment_date: text,
    })
    .nullish(),
  validity_start_date: text,
  validity_end_date: text,
  resolution_requested_before: text,
  cancel_if_unresolved: z.boolean().nullish(),
  metadata: Metadata,
});
export type AgreementRequest = z.output<typeof AgreementRequest>;

/** Facts 8.1. */
export const PaymentRequest = z.object({
  uid: z.string(),
  agreement_uid: z.string(),
  amount: cents,
  priority: z.string(),
  reference: z.string(),
  description: z.string(),
  creditor_reference: z.string(),
  creditor: Party,
  last_payment: z.boolean().nullish(),
  metadata: Metadata,
});
export type PaymentRequest = z.output<typeof PaymentRequest>;
