// The states of a payment as a table, and the one function that moves it: state, event, ledger and what follows.
import { countCollection } from './collection-failures.js';
import type { Engine } from '../engine.js';
import { creditFloatAccount } from '../float-accounts/credit-float-account.js';
import type { Payment, PaymentFailure, PaymentState } from './payment.schema.js';
import { publish } from '../webhooks/events.js';
import type { PublishedEvent } from '../webhooks/webhook.schema.js';

export const NEXT_STATES: Record<PaymentState, readonly PaymentState[]> = {
  created: ['submitting'],
  submitting: ['settled', 'failed', 'pending', 'under_investigation'],
  pending: ['settled', 'failed', 'under_investigation'],
  under_investigation: ['settled', 'failed'],
  settled: [],
  failed: ['created'],
};

/** The states that are entered without an event (facts 8.2). */
const SILENT: readonly PaymentState[] = ['created', 'submitting'];

export interface PaymentMove {
  to: PaymentState;
  failure?: PaymentFailure | undefined;
}

/** @throws Error where the table does not allow it: that would be a fault of the sandbox. */
export function movePayment(engine: Engine, payment: Payment, { to, failure }: PaymentMove): void {
  const from = payment.state;
  if (!NEXT_STATES[from].includes(to))
    throw new Error(`payment ${payment.uid} cannot go from ${from} to ${to}`);
  payment.state = to;
  payment.failure = failure ?? null;
  payment.next_step_at = null;
  notePayment(engine, payment, from, SILENT.includes(to) ? undefined : tell(engine, payment));
  countCollection(engine, payment);
  if (to === 'settled') creditFloatAccount(engine, payment);
  if (payment.source_refund_uid !== null) {
    engine.scheduler.add('follow_refund_payment', payment.source_refund_uid, engine.clock.now());
  }
}

function tell(engine: Engine, { state, failure, uid, agreement_uid, metadata }: Payment): PublishedEvent {
  return publish(engine, {
    type: `payto_payment.${state}`,
    resource_type: 'payto_payment',
    resource_uid: uid,
    lane: agreement_uid,
    body: failure === null ? null : { failure },
    metadata,
  });
}

/** The ledger keeps what a payment is now, where it came from and what was told of it. */
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
