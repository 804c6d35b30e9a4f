// How the outside world addresses a notification: a fact from the provider that belongs to no agreement or payment.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Fact } from '../../domain/facts/fact.js';

export const NOTIFICATION_WORKFLOW = 'notification';
export const notificationWorkflowId = (id: string): string => `notification/${id}`;

export interface NotificationInput {
  /** The kind of resource that it is about, in the provider's word. */
  resourceType: string;
  fact: Fact;
}

/** An operator has read it; the workflow ends. */
export const acknowledge = defineSignal('acknowledge');
export const getNotification = defineQuery<NotificationInput>('getNotification');
