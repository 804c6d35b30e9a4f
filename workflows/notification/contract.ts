// How the outside world addresses a notification workflow: what the provider pushed that belongs to no agreement or payment.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Fact } from '../../domain/facts/fact.js';

export const NOTIFICATION_WORKFLOW = 'notification';
export const notificationWorkflowId = (id: string): string => `notification/${id}`;

export interface NotificationInput {
  /** What kind of resource it speaks of, in the provider's word. */
  resourceType: string;
  fact: Fact;
}

/** An operator has seen it; the workflow ends. */
export const acknowledge = defineSignal('acknowledge');
export const getNotification = defineQuery<NotificationInput>('getNotification');

export const messages = { acknowledge, getNotification };
