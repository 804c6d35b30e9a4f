// The dates of an agreement's plan that are still to come. Plain JSON and pure.
import { isFinal } from '../../domain/agreement/lifecycle.js';
import { firstOf, plannedAfter } from '../../domain/agreement/plan.js';
import { stateOf } from './state.js';
import type { Day } from '../../domain/time/calendar.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PlanRequest, PlannedPayment } from '../../domain/agreement/plan.js';
import type { AgreementState } from './state.js';

export const orderOf = (
  { order }: Pick<PlanRequest, 'order'>,
  { amount, last_payment }: PlannedPayment,
): PaymentOrder => ({
  ...order,
  amount,
  ...(last_payment !== undefined && { last_payment }),
});

/** The last day on which the terms allow a payment. A recurring plan ends on it. */
export function lastDayOf({ mandate }: AgreementState): Day | undefined {
  const days = [mandate?.validity_end_date, mandate?.payment_terms?.last_payment_date];
  return days.filter((day) => typeof day === 'string').toSorted()[0];
}

/** The next `count` dates. None once the plan or the agreement has ended. */
export function remaining(state: AgreementState, count: number): PlannedPayment[] {
  const { plan } = state;
  if (plan === undefined || plan.ended !== undefined || isFinal(stateOf(state))) return [];
  return firstOf(plannedAfter(plan.schedule, plan.doneUpTo, lastDayOf(state)), count);
}
