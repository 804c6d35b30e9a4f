// Which signals workflows send to each other, and the ids under which they find each other.
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartName } from '../../domain/onboarding/steps.js';
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

/** A payment to its agreement, each time that its outcome changes. */
export const PAYMENT_REPORTS = 'paymentReports';

export const report = (agreementUid: string, arg: PaymentReport): Message => ({
  workflowId: agreementWorkflowId(agreementUid),
  signal: PAYMENT_REPORTS,
  arg,
});

/** Delivered by activities/deliver-reports.ts, as the run of its payment may be over. */
export const REFUND_REPORTS = 'refundReports';

/** A batch to each of its chunks; and a chunk to its batch. */
export const CHUNK_DIRECTED = 'chunkDirected';
export const CHUNK_REPORT = 'chunkReport';
