// Delivers a notification of the provider to the workflow of its resource. Needs no worker.
import { createHash } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { deliver, messageOf } from './deliver.js';
import { agreementOf, paymentOf, refundOf } from './recipients.js';
import { agreementFact } from '../workflows/agreement/contract.js';
import { AWAITING, AWAITING_SINCE } from '../workflows/entity/search-attributes.js';
import { NOTIFICATION_WORKFLOW, notificationWorkflowId } from '../workflows/notification/contract.js';
import { paymentFact } from '../workflows/payment/contract.js';
import { refundFact } from '../workflows/refund/contract.js';
import type { Destination } from './reopen.js';
import type { Fact, Notification } from '../domain/facts/fact.js';
import type { NotificationInput } from '../workflows/notification/contract.js';

/**
 * Resolves with true once the notification is durable, or with false if it must be delivered again (delivery/deliver.ts).
 * @param connection the connection of a resource that we do not know yet.
 * @param by the sender ("a notification"), for the summary of a new run.
 */
export async function deliverNotification(
  to: Destination,
  notification: Notification,
  connection: string | undefined,
  by: string,
): Promise<boolean> {
  const { resource, uid, fact } = notification;
  if (uid === undefined || resource === 'other') return keep(to, notification);
  switch (resource) {
    case 'agreement':
      return deliver(to, agreementOf(uid, connection), messageOf(by, agreementFact, fact));
    case 'payment':
      return deliver(to, paymentOf(uid, connection), messageOf(by, paymentFact, fact));
    case 'refund':
      return deliver(to, refundOf(uid, connection), messageOf(by, refundFact, fact));
  }
}

/** Stores a notification that we cannot assign to an agreement, payment or refund, so that an operator can handle it. */
async function keep({ client, taskQueue }: Destination, { resourceType, fact }: Notification): Promise<true> {
  const input: NotificationInput = { resourceType, fact };
  try {
    await client.workflow.start(NOTIFICATION_WORKFLOW, {
      workflowId: notificationWorkflowId(storedAs(fact)),
      taskQueue,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      typedSearchAttributes: [
        { key: AWAITING, value: 'operator' },
        { key: AWAITING_SINCE, value: new Date() },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return true;
}

/** Type and id, because the same id with another type is another event. A hash if they do not fit into a workflow id. */
export function storedAs({ type, id }: Pick<Fact, 'type' | 'id'>): string {
  const plain = `${type}/${id}`;
  if (/^[\w.:~-]+\/[\w.:~-]+$/.test(plain) && plain.length <= 200) return plain;
  return `sha256-${createHash('sha256')
    .update(JSON.stringify([type, id]))
    .digest('hex')}`;
}
