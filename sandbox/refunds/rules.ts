// The body of POST /payto/refunds (docs/provider.md#refunds), and the business rules for it (docs/provider.md#errors, ZPREF) in the order in which they
// are checked; the order is ours.
import { z } from 'zod';
import type { Engine } from '../engine/parts.js';
import { refuseByCode, enforce, when, type Rule } from '../http/refusal.js';
import { asciiText, Cents, RequestMetadata, sandboxScript, Uid } from '../http/wire.schema.js';
import { refundableCents } from '../payments/retry.js';
import type { FloatAccount } from '../store/float-account.schema.js';
import type { Payment } from '../store/payment.schema.js';
import { RefundSimulation } from '../store/refund.schema.js';

const common = { amount: Cents, description: asciiText(280) };

export const CreateRefund = z.strictObject({
  uid: Uid,
  original_payment_uid: Uid,
  refund_payment: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('float_bank_payment'), float_bank_account_id: z.uuid(), ...common }),
    /** Without `uid` the provider makes one up. */
    z.strictObject({ type: z.literal('pay_to_payment'), agreement_uid: Uid, uid: Uid.optional(), ...common }),
  ]),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(RefundSimulation).optional(),
});
export type CreateRefund = z.output<typeof CreateRefund>;

/** How long the alias of the payer may be. Not documented; ours. */
const LONGEST_ALIAS = 140;

interface Case {
  refund: CreateRefund['refund_payment'];
  original: Payment;
  refundable: number;
}

const RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPREF09',
    broken: ({ original }) => when(original.source_refund_uid !== null, 'the payment is a refund itself'),
  },
  {
    code: 'ZPREF02',
    broken: ({ original }) => when(original.state !== 'settled', 'the payment has not settled'),
  },
  {
    code: 'ZPREF12',
    broken: ({ refund }) =>
      when(!refund.description.startsWith('REFUND'), 'refund_payment.description must begin with REFUND'),
  },
  {
    code: 'ZPREF10',
    broken: ({ original: { debtor } }) =>
      when(
        debtor.account_identifier.type !== 'bban' && debtor.account_identifier.value.length > LONGEST_ALIAS,
        `the alias of the payer has more than ${LONGEST_ALIAS} characters`,
      ),
  },
  {
    code: 'ZPREF06',
    broken: ({ refund, refundable }) =>
      when(refund.amount > refundable, 'all refunds together would be more than the payment'),
  },
];

const FLOAT_RULES: readonly Rule<{ account: FloatAccount; amount: number }>[] = [
  {
    code: 'ZPREF04',
    broken: ({ account }) => when(account.status !== 'active', 'the float account is not active'),
  },
  {
    code: 'ZPREF05',
    broken: ({ account }) => when(!account.real_time, 'the float account cannot pay in real time'),
  },
  {
    code: 'ZPREF07',
    broken: ({ account, amount }) =>
      when(amount > account.available_balance, 'the float account lacks the funds'),
  },
];

/**
 * The payment that is to be refunded.
 * @throws Refusal 422 with the code of the first rule that is broken.
 */
export function checkRefund({ store }: Engine, request: CreateRefund): Payment {
  const { uid, original_payment_uid, refund_payment: refund } = request;
  if (store.refunds.has(uid)) throw refuseByCode('ZPREF00', `A refund with uid ${uid} already exists`, uid);
  const original = store.payments.get(original_payment_uid);
  if (original === undefined)
    throw refuseByCode('ZPREF01', `There is no payment ${original_payment_uid}`, uid);
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
  throw refuseByCode('ZPREF03', `There is no float account ${id}`, refundUid);
}
