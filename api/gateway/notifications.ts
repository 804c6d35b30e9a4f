// Hands what the provider pushed to the workflow that it is about, within the time that a call may take.
import { deliverNotification } from '../../delivery/notifications.js';
import type { Notification } from '../../domain/facts/fact.js';
import { ApiError } from '../http/problems/errors.js';
import type { Calls } from './temporal/calls.js';

/**
 * Resolves once the fact is durable.
 * @param connection whose account an agreement or payment belongs to that is not known here.
 */
export type Deliver = (notification: Notification, connection: string | undefined) => Promise<void>;

/** Resolves only after Temporal has stored the notification. @throws ApiError where Temporal did not take it. */
export const createDeliver =
  (calls: Calls): Deliver =>
  async (notification, connection) => {
    if (await calls.short(() => deliverNotification(calls, notification, connection, 'a notification')))
      return;
    throw new ApiError('temporal_unavailable', 'The notification was not kept. Send it again.');
  };
