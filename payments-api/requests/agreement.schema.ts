// What we put to the provider about agreements (facts 7). Which fields a version takes is said in version-rules.ts.
import { z } from 'zod';
import { Metadata, Party, cents, date, text, uid, utc, word } from './parts.schema.js';

const Initiator = z.strictObject({
  name: text(140).nullish(),
  client_id: word.nullish(),
  legal_name: text(140).nullish(),
  abn: text(64).nullish(),
  acn: text(64).nullish(),
});

const PaymentTerms = z.strictObject({
  type: word.nullish(),
  frequency: word.nullish(),
  count: z.int().min(1).nullish(),
  amount: cents.nullish(),
  max_amount: cents.nullish(),
  first_payment_amount: cents.nullish(),
  last_payment_amount: cents.nullish(),
  first_payment_date: date.nullish(),
  last_payment_date: date.nullish(),
});

/** Facts 7.1. */
export const AgreementRequest = z.strictObject({
  uid,
  purpose: word,
  description: text(140),
  debtor: Party,
  creditor: Party.nullish(),
  initiator: Initiator.nullish(),
  payment_terms: PaymentTerms,
  validity_start_date: date.nullish(),
  validity_end_date: date.nullish(),
  resolution_requested_before: utc.nullish(),
  cancel_if_unresolved: z.boolean().nullish(),
  metadata: Metadata.nullish(),
});
export type AgreementRequest = z.output<typeof AgreementRequest>;

/** Facts 7.5: what is no longer relevant is sent as null. The start date is never amended. */
export const AmendmentRequest = z.strictObject({
  changes: z.strictObject({
    description: text(140).optional(),
    validity_end_date: date.nullish(),
    payment_terms: PaymentTerms.optional(),
    creditor: Party.nullish(),
    initiator: Initiator.omit({ client_id: true }).nullish(),
  }),
  resolution_requested_before: utc.nullish(),
});
export type AmendmentRequest = z.output<typeof AmendmentRequest>;

/** Why an agreement is cancelled or suspended (facts 7.4, which lists the reasons met so far). */
export const ActionRequest = z.strictObject({ reason: word, narrative: text(256).optional() });
export type ActionRequest = z.output<typeof ActionRequest>;
