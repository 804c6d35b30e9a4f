// The lifecycle of a payment at the provider: submitted to the network, then step by step along its script.
import type { Engine } from '../engine/parts.js';
import { refuse } from '../http/refusal.js';
import {
  type FailureCode,
  type PaymentFailure,
  type PaymentScript,
  type PaymentSimulation,
  type PaymentState,
  FAILURE_CODES,
  type Payment,
  type PaymentOutcome,
} from '../store/payment.schema.js';
import { failureOf } from './failures.js';
import { findPayment, movePayment, notePayment } from './states.js';

// The steps of each script after `submitting`, and the wait before each step.

/** The minimum duration of a step. */
const STEP_MS = 20;
/** A payment without an outcome becomes `pending` this long after its submission (docs/provider.md#payments-states). */
const PENDING_AFTER_MS = 35_000;
/** How long the provider resubmits a pending payment (docs/provider.md#payments-states: about 40 hours). */
const RESENT_FOR_MS = 40 * 60 * 60_000;

export interface Step {
  to: Exclude<PaymentState, 'created' | 'submitting'>;
  failure?: PaymentFailure;
  waitMs: (script: PaymentScript) => number;
}

const afterDelay = ({ delay }: PaymentScript): number => STEP_MS + delay * 1000;
/** Our choice: the delay is the time in `pending`. Without a delay, it lasts until the provider gives up. */
const whilePending = ({ delay }: PaymentScript): number => (delay === 0 ? RESENT_FOR_MS : delay * 1000);

const settled = (waitMs = afterDelay): Step => ({ to: 'settled', waitMs });
const investigated = (waitMs = afterDelay): Step => ({ to: 'under_investigation', waitMs });
const failed = (code: FailureCode, waitMs = afterDelay): Step => ({
  to: 'failed',
  failure: failureOf(code),
  waitMs,
});
/** Counted from the submission, which is one step after the call. */
const PENDING: Step = { to: 'pending', waitMs: () => PENDING_AFTER_MS - STEP_MS };

const NAMED: Record<Exclude<PaymentSimulation, FailureCode>, readonly Step[]> = {
  auto_settle: [settled()],
  requires_investigation: [investigated()],
  investigate_and_settle: [investigated(), settled()],
  investigate_and_fail: [investigated(), failed('UKNWN')],
  insufficient_funds: [failed('AM04')],
  creditor_account_type_not_supported: [failed('AC14')],
  creditor_account_closed: [failed('AC07')],
  debtor_account_closed: [failed('AC05')],
  financial_infrastructure_unavailable: [failed('FF10')],
  debtor_alias_not_found: [failed('ZPUNP07')],
  creditor_alias_not_found: [failed('ZPUNP08')],
  alias_resolution_service_unavailable: [failed('ZPUNP06')],
  pending_then_settle: [PENDING, settled(whilePending)],
  pending_then_fail: [PENDING, failed('TM01', whilePending)],
  pending_then_investigate: [PENDING, investigated(whilePending)],
};

const isFailureCode = (simulate: PaymentSimulation): simulate is FailureCode =>
  FAILURE_CODES.some((code) => code === simulate);

/** The step after this state, or undefined at the end of the script. */
export function nextStep(state: PaymentState, { simulate }: PaymentScript): Step | undefined {
  const steps = isFailureCode(simulate) ? [failed(simulate)] : NAMED[simulate];
  return steps[steps.findIndex(({ to }) => to === state) + 1];
}

/** Stores the payment and schedules its submission. The caller receives 201 at once. */
export function beginPayment(engine: Engine, payment: Payment): void {
  engine.store.payments.set(payment.uid, payment);
  notePayment(engine, payment, null);
  planSubmission(engine, payment);
}

/** Resubmits a failed payment under the same uid, with a new script. */
export function beginAgain(engine: Engine, payment: Payment, script: PaymentScript): void {
  payment.script = script;
  payment.submissions.push(engine.clock.now());
  movePayment(engine, payment, { to: 'created' });
  planSubmission(engine, payment);
}

function planSubmission({ scheduler, clock }: Engine, { uid }: Payment): void {
  scheduler.add('submit_payment', uid, clock.now() + STEP_MS);
}

export function submitPayment(engine: Engine, payment: Payment): void {
  if (payment.state !== 'created') return;
  movePayment(engine, payment, { to: 'submitting' });
  planStep(engine, payment);
}

/** Does nothing if the payment was resolved or retried after this step was scheduled. */
export function progressPayment(engine: Engine, payment: Payment): void {
  if (payment.next_step_at !== engine.clock.now()) return;
  const step = nextStep(payment.state, payment.script);
  if (step === undefined) return;
  movePayment(engine, payment, step);
  planStep(engine, payment);
}

function planStep({ scheduler, clock }: Engine, payment: Payment): void {
  const step = nextStep(payment.state, payment.script);
  if (step === undefined) return;
  payment.next_step_at = clock.now() + step.waitMs(payment.script);
  scheduler.add('progress_payment', payment.uid, payment.next_step_at);
}

// Manual resolution of a payment without an outcome. The provider has no such call; only the control API does.
const RESOLVABLE: readonly PaymentState[] = ['pending', 'under_investigation'];

/** Whether the payment can be resolved manually now. */
export const isResolvable = ({ state }: { state: PaymentState }): boolean => RESOLVABLE.includes(state);

/** @throws Refusal 404 for an unknown payment, 409 for a payment that is neither pending nor under investigation. */
export function resolvePayment(engine: Engine, uid: string, outcome: PaymentOutcome): void {
  const payment = findPayment(engine, uid);
  if (!isResolvable(payment)) {
    const detail = `Payment ${uid} cannot be resolved: it is ${payment.state}, not pending or under investigation`;
    throw refuse(409, 'Conflict', detail);
  }
  movePayment(engine, payment, {
    to: outcome,
    failure: outcome === 'failed' ? failureOf('UKNWN') : undefined,
  });
}
