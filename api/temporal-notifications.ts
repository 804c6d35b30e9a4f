// Hands what the provider pushed to the workflow that it is about. Durable once this resolves, worker or not.
// In:  api/routes/receive-webhook.ts, verified. Out: workflows/agreement.ts, payment.ts or notification.ts.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Notification } from '../payments-api/webhook.js';
import { AGREEMENT_WORKFLOW, agreementFact, agreementWorkflowId } from '../workflows/agreement.contract.js';
import type { AgreementInput } from '../workflows/agreement.contract.js';
import { NOTIFICATION_WORKFLOW, notificationWorkflowId } from '../workflows/notification.contract.js';
import type { NotificationInput } from '../workflows/notification.contract.js';
import { PAYMENT_WORKFLOW, paymentFact, paymentWorkflowId } from '../workflows/payment.contract.js';
import type { PaymentInput } from '../workflows/payment.contract.js';
import {
  AGREEMENT_UID,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
} from '../workflows/search-attributes.contract.js';
import type { Calls } from './temporal-calls.js';

/** @param connection whose account an agreement or payment belongs to that nobody here has heard of. */
export type Deliver = (notification: Notification, connection: string | undefined) => Promise<void>;

export const createDeliver =
  (calls: Calls): Deliver =>
  (notification, connection) => {
    const { resource, uid } = notification;
    if (uid === undefined || resource === 'other') return keep(calls, notification);
    return resource === 'agreement'
      ? tellAgreement(calls, uid, notification, connection)
      : tellPayment(calls, uid, notification, connection);
  };

/** An event for an agreement that was not started here, or is over, starts a run that looks it up first. */
async function tellAgreement(
  calls: Calls,
  uid: string,
  { fact }: Notification,
  connectionId: string | undefined,
): Promise<void> {
  const input: AgreementInput = { uid, connectionId };
  await calls.short(() =>
    calls.client.workflow.signalWithStart(AGREEMENT_WORKFLOW, {
      ...adopting(calls, connectionId),
      workflowId: agreementWorkflowId(uid),
      args: [input],
      signal: agreementFact,
      signalArgs: [fact],
      typedSearchAttributes: [{ key: AGREEMENT_UID, value: uid }, ...attributes(connectionId)],
    }),
  );
}

async function tellPayment(
  calls: Calls,
  uid: string,
  { fact }: Notification,
  connectionId: string | undefined,
): Promise<void> {
  const input: PaymentInput = { uid, connectionId };
  await calls.short(() =>
    calls.client.workflow.signalWithStart(PAYMENT_WORKFLOW, {
      ...adopting(calls, connectionId),
      workflowId: paymentWorkflowId(uid),
      args: [input],
      signal: paymentFact,
      signalArgs: [fact],
      typedSearchAttributes: attributes(connectionId),
    }),
  );
}

/** What belongs to no agreement or payment is kept for an operator. */
async function keep(calls: Calls, { resourceType, fact }: Notification): Promise<void> {
  const input: NotificationInput = { resourceType, fact };
  try {
    await calls.short(() =>
      calls.client.workflow.start(NOTIFICATION_WORKFLOW, {
        workflowId: notificationWorkflowId(fact.id),
        taskQueue: calls.taskQueue,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: [
          { key: AWAITING, value: 'operator' },
          { key: AWAITING_SINCE, value: new Date() },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const adopting = ({ taskQueue }: Calls, connectionId: string | undefined) => ({
  taskQueue,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  staticSummary: `found by a notification${connectionId === undefined ? '' : `, connection ${connectionId}`}`,
});

const attributes = (connectionId: string | undefined) => [
  { key: AWAITING, value: 'look-up' },
  { key: AWAITING_SINCE, value: new Date() },
  ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
];
