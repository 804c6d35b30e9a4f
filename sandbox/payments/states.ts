// The states of a payment as a table, and the function that changes the state, publishes the event and writes the ledger.
import { suspendByService } from '../agreements/life.js';
import type { Engine } from '../engine/parts.js';
import { notFound } from '../http/refusal.js';
import { creditFloatAccount } from '../float-accounts/money.js';
import type { Payment, PaymentFailure, PaymentState } from '../store/payment.schema.js';
import type { PublishedEvent } from '../store/webhook.schema.js';
import { publish } from '../webhooks/events.js';

// The scheme suspends an agreement at the seventh consecutive failed collection (docs/provider.md#agreements-states, MSUC). Each
// submission is a collection, so a failed retry counts again. A suspension resets the count.
const TOLERATED = 6;

/** Call after each state change of a payment. States other than settled and failed do not change the count. */
function countCollection(engine: Engine, { state, agreement_uid: uid }: Payment): void {
  const { failuresInARow, agreements } = engine.store;
  if (state === 'settled') failuresInARow.delete(uid);
  if (state !== 'failed') return;
  const failures = (failuresInARow.get(uid) ?? 0) + 1;
  if (failures <= TOLERATED) {
    failuresInARow.set(uid, failures);
    return;
  }
  failuresInARow.delete(uid);
  const agreement = agreements.get(uid);
  if (agreement !== undefined) suspendByService(engine, agreement, 'MSUC');
}

export const NEXT_STATES: Record<PaymentState, readonly PaymentState[]> = {
  created: ['submitting'],
  submitting: ['settled', 'failed', 'pending', 'under_investigation'],
  pending: ['settled', 'failed', 'under_investigation'],
  under_investigation: ['settled', 'failed'],
  settled: [],
  failed: ['created'],
};

/** No event reports a change to these states (docs/provider.md#payments-states). */
const SILENT: readonly PaymentState[] = ['created', 'submitting'];

export interface PaymentMove {
  to: PaymentState;
  failure?: PaymentFailure | undefined;
}

/** @throws Error if the table does not allow the change, which would be a bug in the sandbox. */
export function movePayment(engine: Engine, payment: Payment, { to, failure }: PaymentMove): void {
  const from = payment.state;
  if (!NEXT_STATES[from].includes(to))
    throw new Error(`payment ${payment.uid} cannot go from ${from} to ${to}`);
  payment.state = to;
  payment.failure = failure ?? null;
  payment.next_step_at = null;
  notePayment(engine, payment, from, SILENT.includes(to) ? undefined : publishMove(engine, payment));
  countCollection(engine, payment);
  if (to === 'settled') creditFloatAccount(engine, payment);
  if (payment.source_refund_uid !== null) {
    engine.scheduler.add('follow_refund_payment', payment.source_refund_uid, engine.clock.now());
  }
}

function publishMove(
  engine: Engine,
  { state, failure, uid, agreement_uid, metadata }: Payment,
): PublishedEvent {
  return publish(engine, {
    type: `payto_payment.${state}`,
    resource_type: 'payto_payment',
    resource_uid: uid,
    lane: agreement_uid,
    body: failure === null ? null : { failure },
    metadata,
  });
}

export function notePayment(
  { ledger }: Engine,
  payment: Payment,
  from: PaymentState | null,
  event?: PublishedEvent,
): void {
  ledger.append({
    kind: 'change',
    resource_type: 'payto_payment',
    resource_uid: payment.uid,
    from,
    to: payment.state,
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
  });
}

/** @throws Refusal 404 if no payment has this uid. */
export function findPayment({ store }: Engine, uid: string): Payment {
  const payment = store.payments.get(uid);
  if (payment !== undefined) return payment;
  throw notFound(`There is no payment with uid ${uid}`);
}
