// The body of POST /payto/refunds (docs/provider.md#refunds), and its business rules in the order of the checks
// (docs/provider.md#errors, ZPREF). The order is our choice.
import { z } from 'zod';
import type { Engine } from '../engine/parts.js';
import { refuseByCode, enforce, type Rule } from '../http/refusal.js';
import { Cents, RequestMetadata, sandboxScript, Uid } from '../http/wire.schema.js';
import { refundableCents } from '../payments/retry.js';
import type { FloatAccount } from '../store/float-account.schema.js';
import type { Payment } from '../store/payment.schema.js';
import { RefundSimulation } from '../store/refund.schema.js';

/** Printable ASCII and emoji. */
const Description = z
  .string()
  .min(1)
  .max(280)
  .regex(/^[ -~\p{Emoji}]+$/u, 'must be printable ASCII or emoji')
  .nullable();

export const CreateRefund = z.strictObject({
  uid: Uid,
  original_payment_uid: Uid,
  refund_payment: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('float_bank_payment'),
      float_bank_account_id: z.uuid(),
      amount: Cents,
      description: Description,
    }),
    /** If `uid` is absent, the provider generates one. */
    z.strictObject({
      type: z.literal('pay_to_payment'),
      agreement_uid: Uid,
      uid: Uid.optional(),
      amount: Cents,
      description: Description.default(null),
    }),
  ]),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(RefundSimulation).optional(),
});
export type CreateRefund = z.output<typeof CreateRefund>;

/** The maximum length of the payer's alias for a payment from a float account. */
const LONGEST_ALIAS = 140;

interface Case {
  refund: CreateRefund['refund_payment'];
  original: Payment;
  refundable: number;
}

const RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPREF09',
    broken: ({ original }) => original.source_refund_uid !== null,
  },
  {
    code: 'ZPREF02',
    broken: ({ original }) => original.state !== 'settled',
  },
  {
    code: 'ZPREF12',
    broken: ({ refund: { type, description } }) =>
      type === 'float_bank_payment' && description !== null && !description.startsWith('REFUND'),
  },
  {
    code: 'ZPREF10',
    broken: ({ refund: { type }, original: { debtor } }) =>
      type === 'float_bank_payment' &&
      debtor.account_identifier.type !== 'bban' &&
      debtor.account_identifier.value.length > LONGEST_ALIAS,
  },
  {
    code: 'ZPREF06',
    broken: ({ refund, refundable }) => refund.amount > refundable,
  },
];

const FLOAT_RULES: readonly Rule<{ account: FloatAccount; amount: number }>[] = [
  {
    code: 'ZPREF04',
    broken: ({ account }) => account.status !== 'active',
  },
  {
    code: 'ZPREF05',
    broken: ({ account }) => !account.real_time,
  },
  {
    code: 'ZPREF07',
    broken: ({ account, amount }) => amount > account.available_balance,
  },
];

/**
 * Returns the original payment.
 * @throws Refusal 422 with the code of the first broken rule.
 */
export function checkRefund({ store }: Engine, request: CreateRefund): Payment {
  const { uid, original_payment_uid, refund_payment: refund } = request;
  if (store.refunds.has(uid)) throw refuseByCode('ZPREF00', uid);
  const original = store.payments.get(original_payment_uid);
  if (original === undefined) throw refuseByCode('ZPREF01', uid);
  enforce(RULES, { refund, original, refundable: refundableCents(store, original.uid) }, uid);
  if (refund.type === 'float_bank_payment') {
    const account = floatAccount(store, refund.float_bank_account_id, uid);
    enforce(FLOAT_RULES, { account, amount: refund.amount }, uid);
  }
  return original;
}

function floatAccount({ floatAccounts }: Engine['store'], id: string, refundUid: string): FloatAccount {
  const account = floatAccounts.get(id);
  if (account !== undefined) return account;
  throw refuseByCode('ZPREF03', refundUid);
}
