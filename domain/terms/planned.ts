// Whether planned payments will be allowed on their days, as far as we know today. Earlier planned payments count as taken. Pure.
import { caseOn, refusalIn, takenDays } from './judge.js';
import type { PaymentOrder } from '../agreement/mandate.js';
import type { PlannedPayment } from '../agreement/plan.js';
import type { Refusal, TermsStatus } from './status.js';

export interface Foreseen extends PlannedPayment {
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

/** Each planned payment with the reason to refuse it on its day; undefined if it is allowed. */
export function foreseen(
  status: TermsStatus,
  orderOf: (planned: PlannedPayment) => PaymentOrder,
  payments: readonly PlannedPayment[],
): Foreseen[] {
  const usual = asUsual(status);
  const taken = [...takenDays(usual)];
  return payments.map((planned) => {
    const refusal = refusalIn(caseOn(usual, orderOf(planned), planned.date, taken));
    if (refusal === undefined) taken.push(planned.date);
    return { ...planned, refusal };
  });
}
