// Bodies of agreement requests (docs/provider.md#agreements-creation). version-rules.ts restricts the fields by version.
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

/** docs/provider.md#amendments: attributes that no longer apply are sent as null. The start date cannot be amended. */
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

/** The reason for cancelling or suspending (docs/provider.md#agreements-actions lists the known reasons). */
export const ActionRequest = z.strictObject({
  reason: word,
  narrative: z.string().min(1).max(256).nullish(),
});
export type ActionRequest = z.output<typeof ActionRequest>;

/**
 * The body of add_identification. The provider publishes its content (docs/provider.md#identification), but not its layout.
 * This layout is inferred, and only this schema depends on it.
 */
export const IdentificationRequest = z
  .strictObject({
    initiator: z.strictObject({ client_id: word }).optional(),
    debtor: z.strictObject({ payment_account_uid: uid }).optional(),
  })
  .refine(({ initiator, debtor }) => initiator !== undefined || debtor !== undefined);
export type IdentificationRequest = z.output<typeof IdentificationRequest>;
