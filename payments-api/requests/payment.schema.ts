// Bodies of payment and refund requests (docs/provider.md#payments-creation, #refunds).
import { z } from 'zod';
import { RefundDescription } from '../../domain/refund/request.schema.js';
import { KINDS, Payee, PayerNames, cents, uid, word } from './parts.schema.js';
import { ORDER, fieldsOf } from '../shapes.js';

/** docs/provider.md#payments-creation. Setting the debtor requires a special permission. */
export const PaymentRequest = z.strictObject({
  ...fieldsOf(ORDER, KINDS),
  uid,
  agreement_uid: uid,
  amount: cents,
  priority: word,
  creditor: Payee.nullish(),
  debtor: PayerNames.nullish(),
});
export type PaymentRequest = z.output<typeof PaymentRequest>;

/** docs/provider.md#payments-retry: the creditor may differ from that of the payment. */
export const RetryRequest = z.strictObject({ creditor: Payee.optional() });
export type RetryRequest = z.output<typeof RetryRequest>;

const FromFloat = z.strictObject({
  type: z.literal('float_bank_payment'),
  float_bank_account_id: z.guid(),
  amount: cents,
  description: RefundDescription.regex(/^REFUND./u, 'expected it to start with REFUND (ZPREF12)').nullable(),
});

const FromAgreement = z.strictObject({
  type: z.literal('pay_to_payment'),
  agreement_uid: uid,
  uid: uid.optional(),
  amount: cents,
  description: RefundDescription.nullish(),
});

/** docs/provider.md#refunds: paid from a float account, or collected under an agreement with the owing party. */
export const RefundRequest = z.strictObject({
  uid,
  original_payment_uid: uid,
  refund_payment: z.discriminatedUnion('type', [FromFloat, FromAgreement]),
  metadata: KINDS.metadata,
});
export type RefundRequest = z.output<typeof RefundRequest>;
