// On which day a planned payment is due if its date is no business day. Pure.
import { businessDayOnOrAfter, businessDayOnOrBefore, isBusinessDay } from '../time/business-days.js';
import { neighboursOf, type DuePayment, type PlanRequest, type PlannedPayment } from './plan.js';
import type { Day } from '../time/calendar.js';

/**
 * The planned payment with its day, as far as the schedule decides it. Payments stay in the order of their dates, one on each day: a date does not
 * move to or past another one.
 * @param earliest the first day on which the plan can take a payment.
 */
export function dueByCalendar(
  { schedule, onHoliday }: Pick<PlanRequest, 'schedule' | 'onHoliday'>,
  planned: PlannedPayment,
  earliest: Day,
): DuePayment {
  const { date } = planned;
  const isBefore = onHoliday === 'before';
  if ((!isBefore && onHoliday !== 'after') || isBusinessDay(date)) return planned;
  const takenOn = isBefore ? businessDayOnOrBefore(date) : businessDayOnOrAfter(date);
  const { previous, next } = neighboursOf(schedule, date);
  const other = isBefore ? previous : next;
  const isPassed = other !== undefined && (isBefore ? other >= takenOn : other <= takenOn);
  if (isPassed)
    return {
      ...planned,
      notMoved: {
        code: 'planned_date_between',
        detail: `The payment stays on its date: another one is planned for ${other}, so it does not move to ${takenOn}.`,
      },
    };
  if (takenOn < earliest)
    return {
      ...planned,
      notMoved: {
        code: 'before_plan',
        detail: `The payment stays on its date: the business day before it, ${takenOn}, is before the plan starts.`,
      },
    };
  return { ...planned, takenOn };
}
