// What the passing of a deadline means to an agreement: a reason to ask, and something for an operator to see. Pure.
import { deadlineId } from '../domain/deadline.js';
import { flag } from './record.js';
import type { AgreementRecord } from './agreement-record.js';
import type { Deadline, DeadlineName } from '../domain/deadline.js';
import type { Instant } from '../domain/fact.js';

/** So many passed ones are kept; an agreement has few, and each amendment may bring new ones. */
const PASSED_KEPT = 20;

/** The deadlines after which somebody is late. */
const LATE: Readonly<Partial<Record<DeadlineName, string>>> = {
  payer_decision:
    'The payer has not answered in five days, and the provider has not said that the agreement expired.',
  amendment_decision:
    'The payer has not answered an amendment in five days, and the provider has not said that it expired.',
};

/** The deadline has come: the provider is asked, whatever it may say (design 4, rule 5). */
export function withDeadline(record: AgreementRecord, deadline: Deadline, now: Instant): AgreementRecord {
  const passed = [...record.passed, deadlineId(deadline)].slice(-PASSED_KEPT);
  const detail = LATE[deadline.name];
  if (detail === undefined) return { ...record, passed, lookAsked: true };
  // Who is late is watched more closely from now on, and a watch begins with a look.
  return flag({ ...record, passed, overdue: true }, 'overdue', now, {
    detail,
    next: 'Nothing to do: the provider is asked every 30 minutes for a day, then every 6 hours.',
  });
}
