// The rules that lives are lived by: the shipped tables, unless a test hands in others.
import { AGREEMENT } from '../../workflows/agreement/steps.js';
import { CONNECTION } from '../../workflows/connection/steps.js';
import { PAYMENT } from '../../workflows/payment/steps.js';
import { REFUND } from '../../workflows/refund/steps.js';

export interface Rules {
  agreement: typeof AGREEMENT;
  payment: typeof PAYMENT;
  refund: typeof REFUND;
  connection: typeof CONNECTION;
  /** Whether the sweep resumes what is blocked while its connection has consent (activities/connection/resume-blocked.ts). */
  sweepResumes: boolean;
  /** Whether a payment is sent only in time (activities/payment/in-time.ts). */
  isTimeChecked: boolean;
}

export const SHIPPED: Rules = {
  agreement: AGREEMENT,
  payment: PAYMENT,
  refund: REFUND,
  connection: CONNECTION,
  sweepResumes: true,
  isTimeChecked: true,
};

/** Lives have no PayIDs, no daily limits, and accounts that are confirmed at once: test/workflows/ shows these rows. */
const NOT_LIVED: ReadonlySet<string> = new Set([
  'agreement resolve_alias',
  'agreement await_limit',
  'connection check_account',
  'connection refresh_unconfirmed',
  'connection pause_check',
  'connection flag_unconfirmed',
]);

/** Each other row of each step table, as it is counted. */
export const ROWS: readonly string[] = (['agreement', 'payment', 'connection'] as const)
  .flatMap((story) => Object.keys(SHIPPED[story].rules).map((step) => `${story} ${step}`))
  .filter((row) => !NOT_LIVED.has(row));
