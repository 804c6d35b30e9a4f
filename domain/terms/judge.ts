// May this payment be taken now? Judged by the table of rules, before anything is sent. Pure.
import { sydneyDayOf } from '../time/sydney.js';
import { RULES, mayBeTaken } from './rules.js';
import type { Day } from '../time/calendar.js';
import type { Instant } from '../facts/fact.js';
import type { PaymentOrder } from '../agreement/mandate.js';
import type { Case, Rule } from './rules.js';
import type { Refusal, TermsStatus } from './status.js';

/** The first reason not to admit this payment, or nothing when it may go. */
export const refusalOf = (status: TermsStatus, order: PaymentOrder, now: Instant): Refusal | undefined =>
  refusalIn(caseOn(status, order, sydneyDayOf(now), takenDays(status)));

/** @param taken days on which earlier payments were taken, or may have been; oldest first. */
export const caseOn = (
  status: TermsStatus,
  order: PaymentOrder,
  today: Day,
  taken: readonly Day[],
): Case => ({
  status,
  order,
  today,
  taken,
  began: sydneyDayOf(status.since),
});

/** The Sydney days on which payments were sent that may have been taken, oldest first; of one that was not, the day of its request. */
export const takenDays = ({ earlier }: TermsStatus): Day[] =>
  earlier
    .filter(mayBeTaken)
    .map(({ requestedAt, sentAt = requestedAt }) => sydneyDayOf(sentAt))
    .sort();

/** The first rule that the payment breaks; undefined where the terms allow it. */
export function refusalIn(judged: Case): Refusal | undefined {
  for (const rule of RULES) {
    const refusal = refusedBy(rule, judged);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refusedBy<Judged>({ code, pointer, broken }: Rule<Judged>, judged: Judged): Refusal | undefined {
  const found = broken(judged);
  if (found === undefined) return undefined;
  const { expected, limit, met, passesFrom = null } = found;
  const later = passesFrom === null ? '' : ` It may pass from ${passesFrom} on.`;
  const instead = met === null ? '' : `; met ${met}`;
  return { code, pointer, limit, met, passesFrom, detail: `Expected ${expected}${instead}.${later}` };
}
