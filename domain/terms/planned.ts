// Whether planned payments will be allowed on their days, as far as we know today. Earlier planned payments count as taken. Pure.
import { caseOn, refusalIn, takenDays } from './judge.js';
import type { Day } from '../time/calendar.js';
import type { PaymentOrder } from '../agreement/mandate.js';
import { dueDayOf, type DuePayment } from '../agreement/plan.js';
import type { Refusal, TermsStatus } from './status.js';

export interface Foreseen extends DuePayment {
  refusal: Refusal | undefined;
}

/** Drops temporary conditions: on a later day the agreement is assumed to be active, without failures or payments in flight. */
const asUsual = (status: TermsStatus): TermsStatus => ({
  ...status,
  state: 'active',
  isInDoubt: false,
  isContested: false,
  consecutiveFailures: 0,
  inFlight: 0,
});

/**
 * Each planned payment with the reason to refuse it on its day; undefined if it is allowed. If the terms refuse the business day that replaces a
 * date, the payment stays on the date.
 */
export function foreseen(
  status: TermsStatus,
  orderOf: (planned: DuePayment) => PaymentOrder,
  payments: readonly DuePayment[],
): Foreseen[] {
  const usual = asUsual(status);
  const taken = [...takenDays(usual)];
  return payments.map((planned) => {
    const one = judged(usual, orderOf, planned, taken);
    if (one.refusal === undefined) taken.push(dueDayOf(one));
    return one;
  });
}

/** A planned payment with the day on which it is due, if it is the next one. */
export function withDay(
  status: TermsStatus,
  orderOf: (planned: DuePayment) => PaymentOrder,
  planned: DuePayment,
): DuePayment {
  const usual = asUsual(status);
  const { refusal: _refusal, ...due } = judged(usual, orderOf, planned, takenDays(usual));
  return due;
}

function judged(
  status: TermsStatus,
  orderOf: (planned: DuePayment) => PaymentOrder,
  planned: DuePayment,
  taken: readonly Day[],
): Foreseen {
  const refusalOn = (day: Day): Refusal | undefined =>
    refusalIn(caseOn(status, orderOf(planned), day, taken));
  const refusal = refusalOn(dueDayOf(planned));
  return refusal === undefined || planned.takenOn === undefined
    ? { ...planned, refusal }
    : { ...onItsDate(planned, refusal), refusal: refusalOn(planned.date) };
}

const onItsDate = ({ takenOn, ...planned }: DuePayment, { code, detail }: Refusal): DuePayment => ({
  ...planned,
  notMoved: { code, detail: `The payment stays on its date, and does not move to ${takenOn}: ${detail}` },
});
