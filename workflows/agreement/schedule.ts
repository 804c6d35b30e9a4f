// The dates of an agreement's plan that are still to come. Plain JSON and pure.
import { isFinal } from '../../domain/agreement/lifecycle.js';
import {
  dueDayOf,
  firstOf,
  plannedAfter,
  type DuePayment,
  type Plan,
  type PlanRequest,
  type PlannedPayment,
} from '../../domain/agreement/plan.js';
import { dueByCalendar } from '../../domain/agreement/plan-holidays.js';
import { foreseen, withDay, type Foreseen } from '../../domain/terms/planned.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { stateOf, type AgreementState } from './state.js';
import { termsStatusOf } from './terms.js';
import type { Day } from '../../domain/time/calendar.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';

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

/** The next `count` payments. None once the plan or the agreement has ended. */
export function remaining(state: AgreementState, count: number): PlannedPayment[] {
  const { plan } = state;
  if (plan === undefined || plan.ended !== undefined || isFinal(stateOf(state))) return [];
  return firstOf(plannedAfter(plan.schedule, plan.doneUpTo, lastDayOf(state)), count);
}

/** The next payment, with its day. */
export function nextDue(state: AgreementState): DuePayment | undefined {
  const [next] = remaining(state, 1);
  return state.plan && next && dueIn(state, state.plan, next);
}

/** The planned payments that are due until the end of a day, and that nothing was done about. */
export function dueUpTo(state: AgreementState, day: Day): DuePayment[] {
  const { plan } = state;
  if (plan === undefined) return [];
  const due: DuePayment[] = [];
  for (const planned of plannedAfter(plan.schedule, plan.doneUpTo, lastDayOf(state))) {
    const one = dueIn(state, plan, planned);
    if (dueDayOf(one) > day) break;
    due.push(one);
  }
  return due;
}

/** The terms are read only for a payment that the calendar moves. */
function dueIn(state: AgreementState, plan: Plan, planned: PlannedPayment): DuePayment {
  const moved = dueByCalendar(plan, planned, sydneyDayOf(plan.since));
  if (moved.takenOn === undefined) return moved;
  return withDay(termsStatusOf(state), (one) => orderOf(plan, one), moved);
}

/**
 * Each payment with its day, and with the refusal it would get then under the current terms.
 * @param earliest the first day on which the plan can take a payment.
 */
export const foreseenIn = (
  state: AgreementState,
  request: PlanRequest,
  payments: readonly PlannedPayment[],
  earliest: Day,
): Foreseen[] =>
  foreseen(
    termsStatusOf(state),
    (one) => orderOf(request, one),
    payments.map((planned) => dueByCalendar(request, planned, earliest)),
  );
