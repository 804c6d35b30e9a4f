// The life of a refund: paid from a float account it is processed by itself, paid by PayTo it follows its payment.
// The float account is debited when the refund is accepted, so that two refunds cannot spend one balance.
import type { Engine } from '../engine.js';
import { moveMoney } from '../float-accounts/move-money.js';
import type { Payment, PaymentState } from '../payments/payment.schema.js';
import { moveRefund, noteRefund, type RefundMove } from './refund-states.js';
import type { Refund, RefundFailure, RefundSimulation } from './refund.schema.js';

const STEP_MS = 20;

const FAILURES: Record<RefundSimulation, RefundFailure | undefined> = {
  success: undefined,
  creditor_alias_not_found: {
    code: 'ZPUNP08',
    title: 'Creditor alias not found',
    detail: 'The alias of the payer is not known to the addressing service.',
  },
  creditor_account_closed: {
    code: 'AC07',
    title: 'Closed creditor account',
    detail: 'The account of the payer is closed.',
  },
};

/** The create call is answered with 201; everything after it comes with time. */
export function beginRefund(engine: Engine, refund: Refund): void {
  engine.store.refunds.set(refund.uid, refund);
  noteRefund(engine, refund, null);
  const { amount, description } = refund.refund_payment;
  if (!moveFloat(engine, refund, -amount, description)) return;
  engine.scheduler.add('process_refund', refund.uid, engine.clock.now() + STEP_MS);
}

export function processRefund(engine: Engine, refund: Refund): void {
  moveRefund(engine, refund, { to: 'processing' });
  engine.scheduler.add(
    'conclude_refund',
    refund.uid,
    engine.clock.now() + STEP_MS + refund.script.delay * 1000,
  );
}

/** What failed is back on the float account before anybody hears of it. */
export function concludeRefund(engine: Engine, refund: Refund): void {
  const failure = FAILURES[refund.script.simulate];
  if (failure !== undefined) {
    moveFloat(engine, refund, refund.refund_payment.amount, `Reversal of refund ${refund.uid}`);
  }
  moveRefund(engine, refund, { to: failure === undefined ? 'processed' : 'failed', failure });
}

/** Says whether it is paid from a float account. */
function moveFloat(
  engine: Engine,
  { refund_payment: paid }: Refund,
  amount: number,
  description: string,
): boolean {
  if (paid.type !== 'float_bank_payment') return false;
  const account = engine.store.floatAccounts.get(paid.float_bank_account_id);
  if (account !== undefined) moveMoney(engine, account, { amount, description });
  return true;
}

const FOLLOWING: Record<PaymentState, RefundMove['to']> = {
  created: 'processing',
  submitting: 'processing',
  pending: 'processing',
  under_investigation: 'processing',
  settled: 'processed',
  failed: 'failed',
};

/** Its payment has moved. One that is tried again takes a failed refund with it, back to processing. */
export function followRefundPayment(engine: Engine, refund: Refund): void {
  const { refund_payment: paid } = refund;
  const payment = paid.type === 'pay_to_payment' ? engine.store.payments.get(paid.uid) : undefined;
  if (payment !== undefined)
    moveRefund(engine, refund, { to: FOLLOWING[payment.state], failure: failureOf(payment) });
}

function failureOf({ failure }: Payment): RefundFailure | undefined {
  return failure === null ? undefined : { code: failure.code, title: failure.title, detail: failure.detail };
}
