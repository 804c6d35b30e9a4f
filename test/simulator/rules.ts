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

/** Each row of each step table, as it is counted. */
export const ROWS: readonly string[] = (['agreement', 'payment', 'connection'] as const).flatMap((story) =>
  Object.keys(SHIPPED[story].rules).map((step) => `${story} ${step}`),
);
