// What we send about agreements (docs/provider.md#agreements-creation). Which fields a version takes is said in version-rules.ts.
import { z } from 'zod';
import { Initiator, KINDS, Party, PaymentTerms, text, uid, word } from './parts.schema.js';
import { MANDATE, fieldsOf } from '../shapes.js';

/** docs/provider.md#agreements-creation. */
export const AgreementRequest = z.strictObject({
  ...fieldsOf(MANDATE, KINDS),
  uid,
  purpose: word,
  description: text(140),
  debtor: Party,
  payment_terms: PaymentTerms,
});
export type AgreementRequest = z.output<typeof AgreementRequest>;

/** docs/provider.md#amendments: what is no longer relevant is sent as null. The start date is never amended. */
export const AmendmentRequest = z.strictObject({
  changes: z.strictObject({
    description: text(140).optional(),
    validity_end_date: KINDS.date,
    payment_terms: PaymentTerms.optional(),
    creditor: KINDS.partyChanges,
    initiator: Initiator.omit({ client_id: true }).nullish(),
  }),
  resolution_requested_before: KINDS.instant,
});
export type AmendmentRequest = z.output<typeof AmendmentRequest>;

/** Why an agreement is cancelled or suspended (docs/provider.md#agreements-actions, which lists the reasons met so far). */
export const ActionRequest = z.strictObject({
  reason: word,
  narrative: z.string().min(1).max(256).nullish(),
});
export type ActionRequest = z.output<typeof ActionRequest>;

/**
 * The body of add_identification. The provider publishes what it adds (docs/provider.md#identification), not how it is laid out: this layout is
 * inferred (docs/provider.md#identification), and this schema is the only place that depends on it.
 */
export const IdentificationRequest = z
  .strictObject({
    initiator: z.strictObject({ client_id: word }).optional(),
    debtor: z.strictObject({ payment_account_uid: uid }).optional(),
  })
  .refine(({ initiator, debtor }) => initiator !== undefined || debtor !== undefined);
export type IdentificationRequest = z.output<typeof IdentificationRequest>;
