// Whether what is planned may be taken on its day, as far as can be said today: the rules of the day, with what is planned before it taken. Pure.
import { caseOn, refusalIn, takenDays } from './judge.js';
import type { PaymentOrder } from '../agreement/mandate.js';
import type { PlannedPayment } from '../agreement/plan.js';
import type { Refusal, TermsStatus } from './status.js';

export interface Foreseen extends PlannedPayment {
  refusal: Refusal | undefined;
}

/** What is only so today says nothing of a later day: the agreement is taken to be active then, and nothing to have failed or to be in flight. */
const asUsual = (status: TermsStatus): TermsStatus => ({
  ...status,
  state: 'active',
  isInDoubt: false,
  isContested: false,
  consecutiveFailures: 0,
  inFlight: 0,
});

/** Each of them with why it would be refused on its day; nothing where it would not be. */
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
