// What an agreement and its payments signal to each other while both run: a payment that has waited asks whether it may still be sent, an
// agreement under which no more payments may be taken says so to those that may not have been sent yet, and a payment reports what became of it.
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartName } from '../../domain/onboarding/steps.js';
import type { Judgement } from '../../domain/terms/judgement.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';

/** A signal of one workflow to another. */
export interface Message {
  workflowId: string;
  signal: string;
  arg: object;
}

export const agreementWorkflowId = (uid: string): string => `agreement/${uid}`;
export const PAYMENT_WORKFLOW = 'payment';
export const paymentWorkflowId = (uid: string): string => `payment/${uid}`;
export const clientWorkflowId = (uid: string): string => `client/${uid}`;
export const counterpartyWorkflowId = (uid: string): string => `counterparty/${uid}`;
export const refundWorkflowId = (uid: string): string => `refund/${uid}`;
export const batchWorkflowId = (id: string): string => `batch/${id}`;
export const chunkWorkflowId = (batch: string, n: number): string => `${batchWorkflowId(batch)}/${n}`;

export const onboardingWorkflowId = (id: string): string => `onboarding/${id}`;

/** A part to the onboarding that waits for it. */
export const PROGRESS_REPORTS = 'progressReports';

/** A workflow that waits for this one. */
export interface Reporter {
  workflowId: string;
  /** `wordOf` what it received last. */
  wordRead: string;
}

/** How a part of an onboarding stands. */
export interface ProgressReport {
  part: PartName;
  uid: string;
  reading: Reading;
}

export const PAYMENT_ASKS = 'paymentAsks';
export interface PaymentAsk {
  uid: string;
  order: PaymentOrder;
}

export const AGREEMENT_ANSWERS = 'agreementAnswers';
export interface AgreementAnswer {
  /** Why the payment may not be sent any more; absent where it may. */
  refusal?: { code: string; detail: string } | undefined;
  /** How the agreement stood that allows it. */
  judged?: Judgement | undefined;
  /** It is not certain how the agreement stands: another answer follows. */
  isUncertain?: true | undefined;
}

export const ask = (question: PaymentAsk): Message => ({
  workflowId: agreementWorkflowId(question.order.agreement_uid),
  signal: PAYMENT_ASKS,
  arg: question,
});

export const answer = (uid: string, arg: AgreementAnswer): Message => ({
  workflowId: paymentWorkflowId(uid),
  signal: AGREEMENT_ANSWERS,
  arg,
});

export const PAYMENT_REPORTS = 'paymentReports';

export const report = (agreementUid: string, arg: PaymentReport): Message => ({
  workflowId: agreementWorkflowId(agreementUid),
  signal: PAYMENT_REPORTS,
  arg,
});

/** Delivered by activities/refund/report.ts, as the run of its payment may be over. */
export const REFUND_REPORTS = 'refundReports';

/** A batch to each of its chunks; and a chunk to its batch. */
export const CHUNK_DIRECTED = 'chunkDirected';
export const CHUNK_REPORT = 'chunkReport';
