// The body of POST /payto/refunds (facts 9).
import { z } from 'zod';
import { RefundSimulation } from './refund.schema.js';
import { asciiText, Cents, RequestMetadata, sandboxScript, Uid } from '../http/wire.schema.js';

const told = { amount: Cents, description: asciiText(280) };

export const CreateRefund = z.strictObject({
  uid: Uid,
  original_payment_uid: Uid,
  refund_payment: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('float_bank_payment'), float_bank_account_id: z.uuid(), ...told }),
    /** Without `uid` the provider makes one up. */
    z.strictObject({ type: z.literal('pay_to_payment'), agreement_uid: Uid, uid: Uid.optional(), ...told }),
  ]),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(RefundSimulation).optional(),
});
export type CreateRefund = z.output<typeof CreateRefund>;
