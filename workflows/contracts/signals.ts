// The signals that workflows send to each other, and their workflow ids.
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartName } from '../../domain/onboarding/steps.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';

/** A signal to another workflow. */
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

/** Sent by a part to the onboarding that waits for it. */
export const PROGRESS_REPORTS = 'progressReports';

/** A workflow that waits for reports of this one. */
export interface Reporter {
  workflowId: string;
  /** `wordOf` of the last reading that it received. */
  wordRead: string;
}

/** The current reading of one part of an onboarding. */
export interface ProgressReport {
  part: PartName;
  uid: string;
  reading: Reading;
}

/** Sent by a payment to its agreement whenever its outcome changes. */
export const PAYMENT_REPORTS = 'paymentReports';

export const report = (agreementUid: string, arg: PaymentReport): Message => ({
  workflowId: agreementWorkflowId(agreementUid),
  signal: PAYMENT_REPORTS,
  arg,
});

/** Sent by a refund. activities/temporal/runs.ts delivers it, because the payment's run may have ended. */
export const REFUND_REPORTS = 'refundReports';

/** `chunkDirected` goes from a batch to each of its chunks, `chunkReport` from a chunk to its batch. */
export const CHUNK_DIRECTED = 'chunkDirected';
export const CHUNK_REPORT = 'chunkReport';
