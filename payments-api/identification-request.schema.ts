// The body of add_identification. The provider publishes what it adds (interface 4.3), not how it is laid out: this
// layout is inferred (facts 7.6), and this file is the only one that knows it.
import { z } from 'zod';
import { uid, word } from './requests/parts.schema.js';

export const IdentificationRequest = z
  .strictObject({
    initiator: z.strictObject({ client_id: word }).optional(),
    debtor: z.strictObject({ payment_account_uid: uid }).optional(),
  })
  .refine(({ initiator, debtor }) => initiator !== undefined || debtor !== undefined);
export type IdentificationRequest = z.output<typeof IdentificationRequest>;
