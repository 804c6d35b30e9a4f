// Delivers a notification of the provider to the workflow of its resource. Needs no worker.
import { createHash } from 'node:crypto';
import { deliverCredit } from './credits.js';
import { deliver, deliverToExisting, messageOf, type Message } from './deliver.js';
import { awaits, isStarted } from './open.js';
import { recipientOf } from './recipients.js';
import { eventMessagesOf } from '../workflows/contracts/every-workflow.js';
import { creditIn } from '../domain/float/credit.js';
import { codeIn, isOpaqueId } from '../domain/records/erasure.js';
import {
  NOTIFICATION_WORKFLOW,
  notificationWorkflowId,
  type About,
  type NotificationInput,
} from '../workflows/notification/contract.js';
import type { Destination, Recipient } from './reopen.js';
import type { Fact } from '../domain/facts/fact.js';
import type { Notification } from '../domain/resources.js';

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
  if (uid === undefined || resource === 'other') return keepOther(to, notification);
  const about = { resource, uid };
  const { provenConnectionId } = fact;
  if (provenConnectionId === undefined)
    return deliverAbout(to, about, fact, { connection, by, how: deliver });
  const sent = { connection: provenConnectionId, by, how: deliverToExisting };
  const outcome = await deliverAbout(to, about, fact, sent);
  if (outcome !== 'unknown') return outcome;
  // A run would occupy the uid, so the connection must show the resource first (workflows/notification/workflow.ts).
  await keepNotification(to, { ...inputOf(notification), about });
  return true;
}

interface Sent<Outcome> {
  /** The connection of a resource that we do not know yet. */
  connection: string | undefined;
  by: string;
  how: (to: Destination, recipient: Recipient, message: Message) => Promise<Outcome>;
}

/** Delivers a fact to the workflow of its resource. */
export const deliverAbout = <Outcome>(
  to: Destination,
  { resource, uid }: About,
  fact: Fact,
  { connection, by, how }: Sent<Outcome>,
): Promise<Outcome> =>
  how(to, recipientOf(resource, uid, connection), messageOf(by, eventMessagesOf(resource).fact, fact));

/** An unmatched credit opens a case. Everything else is stored for an operator. */
async function keepOther(to: Destination, notification: Notification): Promise<true> {
  const { fact } = notification;
  const credit = creditIn(fact);
  const delivered = credit === undefined ? 'over' : await deliverCredit(to, credit, fact);
  if (delivered === 'over') await keepNotification(to, inputOf(notification));
  return true;
}

/** Stores it, so that an operator can handle it. A repeat changes nothing. */
export async function keepNotification(
  { client, taskQueue }: Destination,
  input: NotificationInput,
): Promise<void> {
  await isStarted(
    client.workflow.start(NOTIFICATION_WORKFLOW, {
      workflowId: notificationWorkflowId(storedAs(input.fact)),
      taskQueue,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      typedSearchAttributes: awaits('operator'),
    }),
  );
}

const inputOf = ({ resourceType, fact }: Notification): NotificationInput => ({ resourceType, fact });

/**
 * Type, id and the connection that signed it, because the same id with others is another event. A hash if they do not have the documented form:
 * workflow ids are in clear.
 */
export function storedAs({
  type,
  id,
  provenConnectionId,
}: Pick<Fact, 'type' | 'id' | 'provenConnectionId'>): string {
  if (provenConnectionId === undefined && codeIn(type) !== null && isOpaqueId(id)) return `${type}/${id}`;
  return `sha256-${createHash('sha256')
    .update(JSON.stringify([type, id, provenConnectionId]))
    .digest('hex')}`;
}
