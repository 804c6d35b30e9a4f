// The answers of the API that the pages show.
import type { z } from 'zod';
import type { AGREEMENT } from '../routes/agreement/answer.schema.js';
import type { PlanAnswer } from '../routes/agreement/plan-answer.schema.js';
import type { CONNECTION } from '../routes/connection/answer.schema.js';
import type { FLOAT_ACCOUNT, FloatEntriesAnswer } from '../routes/float-account/answer.schema.js';
import type { StatementAnswer } from '../routes/float-account/statement.schema.js';
import type { JudgementAnswer, PAYMENT, PaymentsAnswer } from '../routes/payment/answer.schema.js';
import type { RefundsAnswer } from '../routes/refund/answer.schema.js';
import type { ReconciliationAnswer } from '../routes/settlement/endpoints.js';
import type { StopViewAnswer } from '../routes/stop/answer.schema.js';
import type { TimelineAnswer } from '../routes/timeline/answer.schema.js';
import type {
  UNMATCHED_CREDIT,
  UnmatchedCreditDetailAnswer,
} from '../routes/unmatched-credit/answer.schema.js';

export type Agreement = z.output<typeof AGREEMENT.one>['data'];
export type AgreementPage = z.output<typeof AGREEMENT.page>;
export type Payment = z.output<typeof PAYMENT.one>['data'];
export type PaymentPage = z.output<typeof PAYMENT.page>;
/** The refunds of a payment, as the payment counts them. */
export type RefundsOfPayment = z.output<typeof RefundsAnswer>;
export type ConnectionPage = z.output<typeof CONNECTION.page>;
export type FloatAccountPage = z.output<typeof FLOAT_ACCOUNT.page>;
export type FloatAccount = FloatAccountPage['data'][number];
export type FloatEntriesPage = z.output<typeof FloatEntriesAnswer>;
export type StatementPage = z.output<typeof StatementAnswer>;
export type UnmatchedCredit = z.output<typeof UnmatchedCreditDetailAnswer>['data'];
export type UnmatchedCreditPage = z.output<typeof UNMATCHED_CREDIT.page>;
export type Reconciliation = z.output<typeof ReconciliationAnswer>['data'];
export type Plan = z.output<typeof PlanAnswer>['data'];
/** The payments of an agreement with their totals by period. */
export type Periods = z.output<typeof PaymentsAnswer>;
export type Timeline = z.output<typeof TimelineAnswer>;
export type StopsInForce = z.output<typeof StopViewAnswer>['data'];
export type DryRun = z.output<typeof JudgementAnswer>['data'];
