// What each deadline is and what its passing leads to, in words (design 4, rule 5: each is a reason to ask, and decides
// nothing). As data: docs/agreement.md is drawn from it, and a test holds it to what the workflow does.
import type { DeadlineName } from './deadline.js';

export interface DeadlineWords {
  is: string;
  when: string;
  /** What the flag `overdue` says where somebody is late then, and the provider is asked more often; absent where nobody is. */
  late?: string;
  /** What may have happened by then that we were not told of. */
  asks: string;
}

export const DEADLINES: Readonly<Record<DeadlineName, DeadlineWords>> = {
  payer_decision: {
    is: "the payer's decision",
    when: 'five days after the payer was asked',
    late: 'The payer has not answered in five days, and the provider has not said that the agreement expired.',
    asks: 'whether the payer has answered, or the provider let it expire',
  },
  resolution: {
    is: '`resolution_requested_before`',
    when: "at that time, where it comes before the payer's five days are over",
    asks:
      'with `cancel_if_unresolved`, whether the provider has cancelled; without it the time is for information, the payer ' +
      'may answer later, and the agreement waits on',
  },
  amendment_decision: {
    is: "the payer's decision on an amendment",
    when: 'five days after the provider took the amendment',
    late: 'The payer has not answered an amendment in five days, and the provider has not said that it expired.',
    asks: 'whether the payer has answered, or the provider let the amendment expire',
  },
  amendment_resolution: {
    is: "an amendment's own `resolution_requested_before`",
    when: 'at that time',
    asks: 'whether the payer has answered; it is for information, and the amendment waits on',
  },
  validity_end: {
    is: 'the end of validity',
    when: 'the last millisecond of `validity_end_date` in Sydney',
    asks: 'how it stands; the provider documents no change of state, and payments are refused from then on',
  },
};
