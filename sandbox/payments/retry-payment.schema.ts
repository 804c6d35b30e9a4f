// The body of POST /payto/payments/{uid}/retry: `{}`, or what is to be different this time (facts 4, 8.4).
import { z } from 'zod';
import { DocumentedPaymentSimulation } from './payment.schema.js';
import { RequestCreditor } from './create-payment.schema.js';
import { sandboxScript } from '../http/wire.schema.js';

export const RetryPayment = z.strictObject({
  creditor: RequestCreditor.nullish(),
  sandbox: sandboxScript(DocumentedPaymentSimulation).optional(),
});
export type RetryPayment = z.output<typeof RetryPayment>;
