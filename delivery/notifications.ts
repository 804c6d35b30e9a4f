// Hands a notification of the provider's to the workflow that it is about. Durable once this resolves, worker or not.
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
 * Resolves with true once it is durable, with false where it has to be delivered again (delivery/deliver.ts).
 * @param connection whose account something belongs to that is not known here.
 * @param by what delivers it, for the page of a run that this begins: "a notification".
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

/** What is about nothing that is followed is kept for an operator. */
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

/** Type and id, as a known id with another type is another event; their hash where they do not fit into an id. */
export function storedAs({ type, id }: Pick<Fact, 'type' | 'id'>): string {
  const plain = `${type}/${id}`;
  if (/^[\w.:~-]+\/[\w.:~-]+$/.test(plain) && plain.length <= 200) return plain;
  return `sha256-${createHash('sha256')
    .update(JSON.stringify([type, id]))
    .digest('hex')}`;
}
