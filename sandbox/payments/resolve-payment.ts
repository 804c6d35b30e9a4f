// The manual resolution of a payment without an outcome. No call of the provider's: for the control routes alone.
import type { Engine } from '../engine.js';
import { failureOf } from './payment-course.js';
import { findPayment } from './find-payment.js';
import { movePayment } from './payment-states.js';
import type { PaymentOutcome, PaymentState } from './payment.schema.js';
import { refuse } from '../http/refusal.js';

const RESOLVABLE: readonly PaymentState[] = ['pending', 'under_investigation'];

/** Whether somebody can end it by hand now. */
export const isResolvable = ({ state }: { state: PaymentState }): boolean => RESOLVABLE.includes(state);

/** @throws Refusal 404 for a payment nobody knows, 409 for one that is neither pending nor under investigation. */
export function resolvePayment(engine: Engine, uid: string, outcome: PaymentOutcome): void {
  const payment = findPayment(engine, uid);
  if (!isResolvable(payment)) {
    const detail = `Payment ${uid} is ${payment.state}, neither pending nor under investigation`;
    throw refuse(409, 'Not possible now', detail);
  }
  movePayment(engine, payment, {
    to: outcome,
    failure: outcome === 'failed' ? failureOf('UKNWN') : undefined,
  });
}
