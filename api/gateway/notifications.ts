// Delivers the provider's notifications to workflows, within the time limit of a short call. Reads and acknowledges those for an operator.
import { deliverNotification } from '../../delivery/notifications.js';
import type { Fact } from '../../domain/facts/fact.js';
import { workflowIdOf, type Notification } from '../../domain/resources.js';
import {
  acknowledge,
  getNotification,
  type Acknowledgement,
  type NotificationView,
} from '../../workflows/notification/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { ConnectionChoice } from './connection-choice.js';
import type { Calls } from './temporal/calls.js';
import { readsOf, type ResourceReads } from './resource.js';
import { updateOpen } from './temporal/updates.js';

/**
 * Resolves once the fact is durable.
 * @param connection the connection of an agreement or payment that we do not know yet.
 */
type Deliver = (notification: Notification, connection: string | undefined) => Promise<void>;

/** Resolves only after Temporal has stored the notification. @throws ApiError if Temporal did not store it. */
export const createDeliver =
  (calls: Calls, { hasConsent }: Pick<ConnectionChoice, 'hasConsent'>): Deliver =>
  async (notification, connection) => {
    const { provenConnectionId: proven } = notification.fact;
    const isPowerless = proven !== undefined && !(await hasConsent(proven));
    const fact: Fact = isPowerless ? { ...notification.fact, causesNoLookUp: true } : notification.fact;
    const sent = { ...notification, fact };
    if (await calls.short(() => deliverNotification(calls, sent, connection, 'a notification'))) return;
    throw new ApiError('temporal_unavailable', 'The notification was not stored. Send it again.');
  };

interface NotificationsGateway extends ResourceReads<NotificationView> {
  /** A repeat changes nothing. @returns undefined if there is no such notification. */
  acknowledge: (uid: string, given: Omit<Acknowledgement, 'at'>) => Promise<NotificationView | undefined>;
}

export function createNotificationsGateway(calls: Calls): NotificationsGateway {
  const reads = readsOf(calls, 'notification', getNotification);
  return {
    ...reads,
    acknowledge: async (uid, given) =>
      (await updateOpen(calls, workflowIdOf('notification', uid), acknowledge, given)) ?? reads.view(uid),
  };
}
