// The life of a payment at the provider: submitted to the network, then along its script to an end.
import type { Engine } from '../engine.js';
import { nextStep, STEP_MS } from './payment-course.js';
import type { Payment, PaymentScript } from './payment.schema.js';
import { movePayment, notePayment } from './payment-states.js';

/** The create call is answered with 201; everything after it comes with time. */
export function beginPayment(engine: Engine, payment: Payment): void {
  engine.store.payments.set(payment.uid, payment);
  notePayment(engine, payment, null);
  planSubmission(engine, payment);
}

/** A failed payment begins again under its uid, along a script of its own. */
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

/** Void where the step was planned before the payment was resolved or tried again. */
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
