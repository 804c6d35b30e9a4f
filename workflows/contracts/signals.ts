// The signals that workflows send to each other, and their workflow ids.
import { workflowIdOf, type ResourceName } from '../../domain/resources.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartName } from '../../domain/onboarding/steps.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';

/** A signal to another workflow. */
export interface Message {
  workflowId: string;
  signal: string;
  arg: object;
}

const idOf =
  (resource: ResourceName) =>
  (uid: string): string =>
    workflowIdOf(resource, uid);

export const agreementWorkflowId = idOf('agreement');
export const PAYMENT_WORKFLOW = 'payment';
export const paymentWorkflowId = idOf('payment');
export const REFUND_WORKFLOW = 'refund';
export const refundWorkflowId = idOf('refund');
export const clientWorkflowId = idOf('client');
export const counterpartyWorkflowId = idOf('counterparty');
export const onboardingWorkflowId = idOf('onboarding');
export const connectionWorkflowId = idOf('connection');
export const floatAccountWorkflowId = idOf('float-account');
export const unmatchedCreditWorkflowId = idOf('unmatched-credit');
export const notificationWorkflowId = idOf('notification');
export const batchWorkflowId = idOf('batch');
export const chunkWorkflowId = (batch: string, n: number): string => `${batchWorkflowId(batch)}/${n}`;
/** Each namespace has one workflow for stops. Before the first stop it does not exist. */
export const STOP_WORKFLOW_ID = 'stop';

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
