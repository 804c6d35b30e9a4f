// Hands what the provider pushed to the workflow that it is about. Durable once this resolves, worker or not.
// In:  api/routes/receive-webhook.ts, verified.
// Out: delivery/deliver.ts, to workflows/agreement/workflow.ts or workflows/payment/workflow.ts; else workflows/notification/workflow.ts.
import { createHash } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { deliver as deliverTo, messageOf } from '../../delivery/deliver.js';
import type { Recipient } from '../../delivery/deliver.js';
import { agreementOf, paymentOf } from '../../delivery/recipients.js';
import type { Fact } from '../../domain/fact.js';
import type { Notification } from '../../payments-api/webhook.js';
import { agreementFact } from '../../workflows/agreement/contract.js';
import { NOTIFICATION_WORKFLOW, notificationWorkflowId } from '../../workflows/notification/contract.js';
import type { NotificationInput } from '../../workflows/notification/contract.js';
import { paymentFact } from '../../workflows/payment/contract.js';
import { AWAITING, AWAITING_SINCE } from '../../workflows/entity/search-attributes.js';
import { ApiError } from '../errors.js';
import type { Calls } from './calls.js';

/** @param connection whose account an agreement or payment belongs to that is not known here. */
export type Deliver = (notification: Notification, connection: string | undefined) => Promise<void>;

export const createDeliver =
  (calls: Calls): Deliver =>
  (notification, connection) => {
    const { resource, uid, fact } = notification;
    if (uid === undefined || resource === 'other') return keep(calls, notification);
    return resource === 'agreement'
      ? deliver(calls, agreementOf(uid, connection), agreementFact, fact)
      : deliver(calls, paymentOf(uid, connection), paymentFact, fact);
  };

/** Resolves once the fact is durable. */
async function deliver<State extends { uid: string; connectionId?: string | undefined }>(
  calls: Calls,
  recipient: Recipient<State>,
  signal: SignalDefinition<[Fact]>,
  fact: Fact,
): Promise<void> {
  const message = messageOf('a notification', signal, fact);
  if (await calls.short(() => deliverTo(calls, recipient, message))) return;
  throw new ApiError('temporal_unavailable', 'The notification was not kept. Send it again.');
}

/** What belongs to no agreement or payment is kept for an operator. */
async function keep(calls: Calls, { resourceType, fact }: Notification): Promise<void> {
  const input: NotificationInput = { resourceType, fact };
  try {
    await calls.short(() =>
      calls.client.workflow.start(NOTIFICATION_WORKFLOW, {
        workflowId: notificationWorkflowId(keptAs(fact)),
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

/** Type and id, as a known id with another type is another event; their hash where they do not fit into an id. */
export function keptAs({ type, id }: Pick<Fact, 'type' | 'id'>): string {
  const plain = `${type}/${id}`;
  if (/^[\w.:~-]+\/[\w.:~-]+$/.test(plain) && plain.length <= 200) return plain;
  return `sha256-${createHash('sha256')
    .update(JSON.stringify([type, id]))
    .digest('hex')}`;
}
