import { requireOnlyAttempt } from '../../activities/attempts/only.js';
import { AGREEMENT } from '../../workflows/agreement/definition.js';
import { CONNECTION } from '../../workflows/connection/steps.js';
import { PAYMENT } from '../../workflows/payment/definition.js';
import { REFUND } from '../../workflows/refund/definition.js';

export interface Rules {
  agreement: typeof AGREEMENT;
  payment: typeof PAYMENT;
  refund: typeof REFUND;
  connection: typeof CONNECTION;
  handlers: { agreement: (typeof AGREEMENT)['handlers']; payment: (typeof PAYMENT)['handlers'] };
  sweepResumes: boolean;
  isTimeChecked: boolean;
  /** A run after one that Temporal has forgotten begins from its row. */
  remembers: boolean;
  requireOnlyAttempt: typeof requireOnlyAttempt;
}

export const SHIPPED: Rules = {
  agreement: AGREEMENT,
  payment: PAYMENT,
  refund: REFUND,
  connection: CONNECTION,
  handlers: { agreement: AGREEMENT.handlers, payment: PAYMENT.handlers },
  sweepResumes: true,
  isTimeChecked: true,
  remembers: true,
  requireOnlyAttempt,
};

const NOT_LIVED: ReadonlySet<string> = new Set([
  'agreement resolve_alias',
  'agreement await_limit',
  'connection check_account',
  'connection refresh_unconfirmed',
  'connection pause_check',
  'connection flag_unconfirmed',
]);

export const ROWS: readonly string[] = (['agreement', 'payment', 'connection'] as const)
  .flatMap((workflow) => Object.keys(SHIPPED[workflow].rules).map((step) => `${workflow} ${step}`))
  .filter((row) => !NOT_LIVED.has(row));
