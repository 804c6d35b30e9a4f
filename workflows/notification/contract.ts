// The messages and types of a notification: a fact from the provider that belongs to no agreement or payment.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { Recorded } from '../entity/records/recording.js';

export const NOTIFICATION_WORKFLOW = 'notification';
export const notificationWorkflowId = (id: string): string => `notification/${id}`;
/** Expects the workflow id of a notification. */
export const notificationIdOf = (workflowId: string): string => workflowId.slice('notification/'.length);

export interface NotificationInput {
  /** The resource type in the provider's own term. */
  resourceType: string;
  fact: Fact;
  /** Set by continue-as-new. */
  carried?: Carried<NotificationState> | undefined;
}

export interface NotificationState extends Recorded {
  id: string;
  resourceType: string;
  fact: Fact;
  acknowledgedAt?: Instant | undefined;
}

/** Sent by an operator who has read the notification. The workflow then ends. */
export const acknowledge = defineSignal('acknowledge');
export const getNotification = defineQuery<NotificationInput>('getNotification');
