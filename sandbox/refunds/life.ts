// The lifecycle of a refund. A refund from a float account is processed directly; a refund by PayTo follows its payment. The float account
// is debited at acceptance, so that two refunds cannot spend the same balance.
import type { Engine } from '../engine/parts.js';
import { DETAILS, TITLES } from '../http/error-codes.js';
import { moveMoney } from '../float-accounts/money.js';
import type { Payment, PaymentState } from '../store/payment.schema.js';
import type { Refund, RefundFailure, RefundState, RefundSimulation } from '../store/refund.schema.js';
import type { PublishedEvent } from '../store/webhook.schema.js';
import { publish } from '../webhooks/events.js';

// The states of a refund as a table, and the function that changes the state, publishes the event and writes the ledger.

/** Only a refund by PayTo can leave `failed`, because only its payment can be retried. */
const NEXT: Record<RefundState, readonly RefundState[]> = {
  created: ['processing'],
  processing: ['processed', 'failed'],
  processed: [],
  failed: ['processing'],
};

const EVENTS: Partial<Record<RefundState, string>> = {
  processed: 'payto_refund.processed',
  failed: 'payto_refund.failed',
};

export interface RefundMove {
  to: RefundState;
  failure?: RefundFailure | undefined;
}

/** Changes the refund's state if the table allows it. Returns whether it did. */
function moveRefund(engine: Engine, refund: Refund, { to, failure }: RefundMove): boolean {
  const from = refund.state;
  if (!NEXT[from].includes(to)) return false;
  refund.state = to;
  refund.failure = failure ?? null;
  noteRefund(engine, refund, from, publishMove(engine, refund));
  return true;
}

/** The body of a failure event is not documented (docs/provider.md#events). We use the failure, as for payments. */
function publishMove(
  engine: Engine,
  { uid, state, agreement_uid, failure, metadata }: Refund,
): PublishedEvent | undefined {
  const type = EVENTS[state];
  if (type === undefined) return undefined;
  const body = failure === null ? null : { failure };
  return publish(engine, {
    type,
    resource_type: 'payto_refund',
    resource_uid: uid,
    lane: agreement_uid,
    body,
    metadata,
  });
}

function noteRefund(
  { ledger }: Engine,
  { uid, state }: Refund,
  from: RefundState | null,
  event?: PublishedEvent,
): void {
  ledger.append({
    kind: 'change',
    resource_type: 'payto_refund',
    resource_uid: uid,
    from,
    to: state,
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
  });
}

const STEP_MS = 20;

const FAILURES: Record<RefundSimulation, RefundFailure | undefined> = {
  success: undefined,
  creditor_alias_not_found: {
    code: 'ZPUNP08',
    title: TITLES.ZPUNP08,
    detail: DETAILS.ZPUNP08,
  },
  creditor_account_closed: {
    code: 'AC07',
    title: 'Closed Creditor Account Number',
    detail: 'The Payee Customer account is closed',
  },
};

/** Stores the refund and starts it. The caller receives 201 at once. */
export function beginRefund(engine: Engine, refund: Refund): void {
  engine.store.refunds.set(refund.uid, refund);
  noteRefund(engine, refund, null);
  const { amount, description } = refund.refund_payment;
  if (!moveFloat(engine, refund, -amount, `Refund ${refund.uid}: ${description ?? ''}`)) return;
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

/** A failed refund is credited back to the float account before its event is published. */
export function concludeRefund(engine: Engine, refund: Refund): void {
  const failure = FAILURES[refund.script.simulate];
  if (failure !== undefined) {
    moveFloat(engine, refund, refund.refund_payment.amount, `Reversal of refund ${refund.uid}`);
  }
  moveRefund(engine, refund, { to: failure === undefined ? 'processed' : 'failed', failure });
}

/** Returns whether a float account pays the refund. */
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

/** Updates the refund after a state change of its payment. A retried payment returns a failed refund to processing. */
export function followRefundPayment(engine: Engine, refund: Refund): void {
  const { refund_payment: paid } = refund;
  const payment = paid.type === 'pay_to_payment' ? engine.store.payments.get(paid.uid) : undefined;
  if (payment !== undefined)
    moveRefund(engine, refund, { to: FOLLOWING[payment.state], failure: failureOf(payment) });
}

function failureOf({ failure }: Payment): RefundFailure | undefined {
  return failure === null ? undefined : { code: failure.code, title: failure.title, detail: failure.detail };
}
