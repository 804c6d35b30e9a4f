// Judges a payment by the table of rules, before anything is sent. Pure.
import { sydneyDayOf } from '../time/sydney.js';
import { RULES, mayBeTaken, type Case, type Rule } from './rules.js';
import type { Day } from '../time/calendar.js';
import type { Instant } from '../facts/fact.js';
import type { PaymentOrder } from '../agreement/mandate.js';
import type { Refusal, TermsStatus } from './status.js';

/** The first reason to refuse this payment now; undefined if it is allowed. */
export const refusalOf = (status: TermsStatus, order: PaymentOrder, now: Instant): Refusal | undefined =>
  refusalIn(caseOn(status, order, sydneyDayOf(now), takenDays(status)));

/** @param taken Sydney days of earlier payments that were or may have been taken, oldest first. */
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

/** The Sydney days on which possibly taken payments were sent, oldest first. For an unsent payment, the day of its request. */
export const takenDays = ({ earlier }: TermsStatus): Day[] =>
  earlier
    .filter(mayBeTaken)
    .map(({ requestedAt, sentAt = requestedAt }) => sydneyDayOf(sentAt))
    .sort();

/** The first broken rule; undefined if the terms allow the payment. */
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
  const later = passesFrom === null ? '' : ` It may be allowed from ${passesFrom}.`;
  const instead = met === null ? '' : `; got ${met}`;
  return { code, pointer, limit, met, passesFrom, detail: `Expected ${expected}${instead}.${later}` };
}
