import { requireOnlyAttempt } from '../../activities/attempts/only.js';
import { HANDLERS as AGREEMENT_HANDLERS } from '../../workflows/agreement/handlers.js';
import { AGREEMENT } from '../../workflows/agreement/steps.js';
import { CONNECTION } from '../../workflows/connection/steps.js';
import { HANDLERS as PAYMENT_HANDLERS } from '../../workflows/payment/handlers.js';
import { PAYMENT } from '../../workflows/payment/steps.js';
import { REFUND } from '../../workflows/refund/steps.js';

export interface Rules {
  agreement: typeof AGREEMENT;
  payment: typeof PAYMENT;
  refund: typeof REFUND;
  connection: typeof CONNECTION;
  handlers: { agreement: typeof AGREEMENT_HANDLERS; payment: typeof PAYMENT_HANDLERS };
  sweepResumes: boolean;
  isTimeChecked: boolean;
  requireOnlyAttempt: typeof requireOnlyAttempt;
}

export const SHIPPED: Rules = {
  agreement: AGREEMENT,
  payment: PAYMENT,
  refund: REFUND,
  connection: CONNECTION,
  handlers: { agreement: AGREEMENT_HANDLERS, payment: PAYMENT_HANDLERS },
  sweepResumes: true,
  isTimeChecked: true,
  requireOnlyAttempt,
};

const NOT_LIVED: ReadonlySet<string> = new Set([
  'agreement resolve_alias',
  'agreement await_limit',
  'agreement stay_open',
  'payment stay_open',
  'connection check_account',
  'connection refresh_unconfirmed',
  'connection pause_check',
  'connection flag_unconfirmed',
]);

export const ROWS: readonly string[] = (['agreement', 'payment', 'connection'] as const)
  .flatMap((story) => Object.keys(SHIPPED[story].rules).map((step) => `${story} ${step}`))
  .filter((row) => !NOT_LIVED.has(row));
