// The messages and types of a notification: a fact from the provider that belongs to no agreement or payment.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Fact } from '../../domain/facts/fact.js';

export const NOTIFICATION_WORKFLOW = 'notification';
export const notificationWorkflowId = (id: string): string => `notification/${id}`;

export interface NotificationInput {
  /** The resource type in the provider's own term. */
  resourceType: string;
  fact: Fact;
}

/** Sent by an operator who has read the notification. The workflow then ends. */
export const acknowledge = defineSignal('acknowledge');
export const getNotification = defineQuery<NotificationInput>('getNotification');
