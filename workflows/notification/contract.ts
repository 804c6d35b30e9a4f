// The messages and types of a notification: a fact from the provider that belongs to no agreement or payment.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { EventResource, ResourceName } from '../../domain/resources.js';
import type { RememberedEnd } from '../../domain/records/remembered.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Carried } from '../contracts/upgrade.js';
import type { Recorded } from '../engine/recording.js';
import type { viewOf } from './view.js';

export const NOTIFICATION_WORKFLOW = 'notification';
export { notificationWorkflowId } from '../contracts/signals.js';
/** Expects the workflow id of a notification. */
export const notificationIdOf = (workflowId: string): string => workflowId.slice('notification/'.length);

export interface About {
  resource: EventResource;
  uid: string;
}

export interface Gone extends Pick<RememberedEnd, 'why' | 'since'> {
  resource: ResourceName;
  uid: string;
}

export interface NotificationInput {
  /** The resource type in the provider's own term. */
  resourceType: string;
  fact: Fact;
  /** The resource that it names, if we do not follow that and only the secret of one connection proves the event. */
  about?: About | undefined;
  /** The thing that it names, if the records of that have expired or were erased. */
  gone?: Gone | undefined;
  /** Set by continue-as-new. */
  carried?: Carried<NotificationState> | undefined;
}

export interface NotificationState extends Recorded {
  id: string;
  resourceType: string;
  fact: Fact;
  about?: About | undefined;
  /** The look-up on the connection has ended. */
  isAnswered?: true | undefined;
  acknowledgement?: Acknowledgement | undefined;
}

/** An operator has read the notification. */
export interface Acknowledgement {
  /** The principal. */
  by: string;
  reason: string;
  at: Instant;
}

export type NotificationView = ReturnType<typeof viewOf>;

/** Ends the workflow. A repeat changes nothing. */
export const acknowledge = defineUpdate<NotificationView, [Omit<Acknowledgement, 'at'>]>('acknowledge');
export const getNotification = defineQuery<NotificationView>('getNotification');
