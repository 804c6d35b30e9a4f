// What a merchant answers to a dispute, and the evidence for it (docs/provider.md#operations).
import { z } from 'zod';
import { cents, open } from './parts.schema.js';

export const DisputeAcceptance = z.strictObject({
  amount_returned: z.strictObject({ currency: z.literal('AUD'), value: cents }),
  /** Of the transaction that returned the money. */
  return_transaction_identification: open,
});
export type DisputeAcceptance = z.output<typeof DisputeAcceptance>;

/** From the ISO 20022 set ExternalRejectedReason1Code: the provider takes no others. */
const DISPUTE_REJECTION_CODES = [
  ...(['ADEA', 'BDAY', 'CTRC', 'DPRG', 'INDT', 'MISM', 'NAUT', 'NINS', 'NOAC', 'TERM', 'ASBR'] as const),
  ...(['AB15', 'AB26', 'AB12', 'DT07', 'AB13', 'AB21', 'ISWS', 'MISN', 'NOFR'] as const),
  ...(['RC14', 'RC16', 'RC15', 'RC13', 'SBRN'] as const),
] as const;

export const DisputeRejection = z.strictObject({
  reason: z.strictObject({ code: z.enum(DISPUTE_REJECTION_CODES), description: z.string().min(1) }),
});
export type DisputeRejection = z.output<typeof DisputeRejection>;

const PDF_START = '%PDF-';

/** The name goes into a header of the form, so it has no quotes and no line breaks. */
export const Evidence = z.strictObject({
  name: z.string().regex(/^[\w .()-]{1,200}$/),
  bytes: z.instanceof(Uint8Array).refine(isPdf, 'expected a PDF'),
});

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, PDF_START.length)).toString('latin1') === PDF_START;
}
