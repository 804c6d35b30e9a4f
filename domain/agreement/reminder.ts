// When an unanswered agreement adds a reminder fact, so that the caller can remind the payer. Also what to say to the payer. Pure data.
import type { AgreementLifecycleState } from './events.js';
import type { Instant } from '../facts/fact.js';

const HOUR_MS = 60 * 60 * 1000;

export interface Reminder {
  after: string;
  afterMs: number;
}

/** Counted from when the payer was asked. The last one leaves a day of the five (docs/provider.md#limits). */
export const REMINDERS: readonly Reminder[] = [
  { after: '1 hour', afterMs: HOUR_MS },
  { after: '24 hours', afterMs: 24 * HOUR_MS },
  { after: '4 days', afterMs: 4 * 24 * HOUR_MS },
];

const atOf = (requestedAt: Instant, { afterMs }: Reminder): Instant =>
  new Date(Date.parse(requestedAt) + afterMs).toISOString();

/** The values of the list filter for unanswered agreements. */
export const UNANSWERED = ['1h', '24h', '4d'] as const;
export type Unanswered = (typeof UNANSWERED)[number];

/** The state of an agreement whose payer has not answered. */
export const AGREEMENT_WAITS_FOR_PAYER: AgreementLifecycleState = 'created';

/** The filter matches a payer who was asked at or before this instant and has not answered. */
export const requestedBefore = (unanswered: Unanswered, now: Instant): Instant =>
  new Date(Date.parse(now) - (REMINDERS[UNANSWERED.indexOf(unanswered)]?.afterMs ?? 0)).toISOString();

/** When the next reminder is due; undefined after the last. @param noted how many have been recorded. */
export function nextReminderAt(requestedAt: Instant, noted: number): Instant | undefined {
  const next = REMINDERS[noted];
  return next && atOf(requestedAt, next);
}

/** How many reminders are due by now. If several are due at once, only the last is recorded. */
export const remindersBy = (requestedAt: Instant, now: Instant): number =>
  REMINDERS.filter((reminder) => atOf(requestedAt, reminder) <= now).length;

export const PAYER_ACTIONS = {
  agreement: 'Open your bank’s app, look for PayTo, and approve or decline the agreement.',
  amendment: 'Open your bank’s app, look for PayTo, and approve or decline the change to the agreement.',
} as const;
