// Delivers the provider's notifications to workflows, within the time limit of a short call.
import { deliverNotification } from '../../delivery/notifications.js';
import type { Notification } from '../../domain/facts/fact.js';
import { ApiError } from '../http/problems/errors.js';
import type { Calls } from './temporal/calls.js';

/**
 * Resolves once the fact is durable.
 * @param connection the connection of an agreement or payment that we do not know yet.
 */
export type Deliver = (notification: Notification, connection: string | undefined) => Promise<void>;

/** Resolves only after Temporal has stored the notification. @throws ApiError if Temporal did not store it. */
export const createDeliver =
  (calls: Calls): Deliver =>
  async (notification, connection) => {
    if (await calls.short(() => deliverNotification(calls, notification, connection, 'a notification')))
      return;
    throw new ApiError('temporal_unavailable', 'The notification was not stored. Send it again.');
  };
