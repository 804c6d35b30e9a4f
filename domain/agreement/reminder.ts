// When it is noted that a payer has been asked and has still not answered: the caller whose onboarding it is may want to remind them. As data, and pure.
// What the payer is to do meanwhile is said here as well.
import type { Instant } from '../facts/fact.js';

const HOUR_MS = 60 * 60 * 1000;

export interface Reminder {
  after: string;
  afterMs: number;
}

/** Since the payer was asked; the last one leaves a day of the five (docs/provider.md#limits). */
export const REMINDERS: readonly Reminder[] = [
  { after: '1 hour', afterMs: HOUR_MS },
  { after: '24 hours', afterMs: 24 * HOUR_MS },
  { after: '4 days', afterMs: 4 * 24 * HOUR_MS },
];

const atOf = (requestedAt: Instant, { afterMs }: Reminder): Instant =>
  new Date(Date.parse(requestedAt) + afterMs).toISOString();

/** For how long a payer has not answered, as lists are asked for it. */
export const UNANSWERED = ['1h', '24h', '4d'] as const;
export type Unanswered = (typeof UNANSWERED)[number];

/** Payers who were asked at this instant or before have not answered for so long. */
export const requestedBefore = (unanswered: Unanswered, now: Instant): Instant =>
  new Date(Date.parse(now) - (REMINDERS[UNANSWERED.indexOf(unanswered)]?.afterMs ?? 0)).toISOString();

/** When the next one is due, of which so many have been noted; nothing after the last. */
export function nextReminderAt(requestedAt: Instant, noted: number): Instant | undefined {
  const next = REMINDERS[noted];
  return next && atOf(requestedAt, next);
}

/** How many have come by then: of several at once the last says all. */
export const remindersBy = (requestedAt: Instant, now: Instant): number =>
  REMINDERS.filter((reminder) => atOf(requestedAt, reminder) <= now).length;

export const PAYER_ACTIONS = {
  agreement: 'Open your bank’s app, look for PayTo, and approve or decline the agreement.',
  amendment: 'Open your bank’s app, look for PayTo, and approve or decline the change to the agreement.',
} as const;
