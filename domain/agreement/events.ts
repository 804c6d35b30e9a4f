// Every event that the provider publishes about an agreement, as data: its meaning, who can cause it, the state it leads to, and which action
// it answers (docs/provider.md#events-of-agreements, #agreements-states and #events). The tables of states and actions are derived from it.

/** The provider's states (docs/provider.md#agreements-states). */
export const AGREEMENT_STATES = [
  'pending',
  'created',
  'active',
  'suspended',
  'declined',
  'expired',
  'cancelled',
  'failed',
] as const;
export type AgreementLifecycleState = (typeof AGREEMENT_STATES)[number];

/** The kinds of commands for an agreement, in the provider's words. */
export const ACTION_KINDS = [
  'suspension',
  'reactivation',
  'cancellation',
  'amendment',
  'amendment_recall',
  'identification',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** Who can cause a change: the payer, the initiator (us), or the provider with the banks and the scheme behind it. */
export type Cause = 'payer' | 'initiator' | 'provider';

/** How an event ends an action in progress. */
export interface Answer {
  action: ActionKind;
  outcome: 'done' | 'failed';
}

export interface AgreementEvent {
  says: string;
  by: readonly Cause[];
  /** The field of the body that holds the reason (docs/provider.md#events); absent if the event has none. */
  why?: 'reason' | 'failure' | 'changes';
  /** The states from which the event moves the agreement, and the new state. Absent: it moves nothing. */
  moves?: { from: readonly AgreementLifecycleState[]; to: AgreementLifecycleState };
  /** Only the agreement itself shows what changed. */
  needsLookUp?: true;
  answers?: readonly Answer[];
}

// The step from pending to created has no event, so an answer may arrive while we know only `pending`.
const UNANSWERED = ['pending', 'created'] as const;

const done = (action: ActionKind): Answer => ({ action, outcome: 'done' });
const failed = (action: ActionKind): Answer => ({ action, outcome: 'failed' });

/** By event type without `payto_agreement.`. `amendment_recalled` covers both spellings (docs/provider.md#differences). */
export const AGREEMENT_EVENTS = {
  activated: {
    says: 'the payer accepted',
    by: ['payer'],
    moves: { from: UNANSWERED, to: 'active' },
  },
  declined: {
    says: 'the payer declined',
    by: ['payer', 'provider'],
    why: 'reason',
    moves: { from: UNANSWERED, to: 'declined' },
  },
  expired: {
    says: 'the payer did not answer in time',
    by: ['provider'],
    moves: { from: UNANSWERED, to: 'expired' },
  },
  failed: {
    says: 'the agreement could not be created; the worker records this too if the provider refuses it at once',
    by: ['provider'],
    why: 'failure',
    moves: { from: UNANSWERED, to: 'failed' },
  },
  cancelled: {
    says: 'the agreement was cancelled',
    by: ['payer', 'initiator', 'provider'],
    why: 'reason',
    moves: { from: [...UNANSWERED, 'active', 'suspended'], to: 'cancelled' },
    answers: [done('cancellation')],
  },
  suspended: {
    says: 'the agreement was suspended',
    by: ['payer', 'initiator', 'provider'],
    why: 'reason',
    moves: { from: ['active'], to: 'suspended' },
    answers: [done('suspension')],
  },
  reactivated: {
    says: 'the agreement was reactivated',
    by: ['payer', 'initiator', 'provider'],
    moves: { from: ['suspended'], to: 'active' },
    answers: [done('reactivation')],
  },
  amended: {
    says: 'the terms were amended',
    by: ['payer', 'initiator'],
    why: 'changes',
    needsLookUp: true,
    answers: [done('amendment'), failed('amendment_recall')],
  },
  amendment_declined: {
    says: 'the payer declined the amendment',
    by: ['payer'],
    answers: [failed('amendment'), failed('amendment_recall')],
  },
  amendment_expired: {
    says: 'the payer did not answer the amendment in time',
    by: ['provider'],
    answers: [failed('amendment'), failed('amendment_recall')],
  },
  amendment_recalled: {
    says: 'the amendment was recalled',
    by: ['initiator'],
    answers: [failed('amendment'), done('amendment_recall')],
  },
  amendment_failed: {
    says: 'the amendment failed',
    by: ['provider'],
    why: 'failure',
    answers: [failed('amendment'), failed('amendment_recall')],
  },
  amendment_recall_failed: {
    says: 'the recall of the amendment failed',
    by: ['provider'],
    why: 'failure',
    answers: [failed('amendment_recall')],
  },
  cancellation_failed: {
    says: 'the cancellation failed',
    by: ['provider'],
    why: 'failure',
    answers: [failed('cancellation')],
  },
  suspension_failed: {
    says: 'the suspension failed',
    by: ['provider'],
    why: 'failure',
    answers: [failed('suspension')],
  },
  reactivation_failed: {
    says: 'the reactivation failed',
    by: ['provider'],
    why: 'failure',
    answers: [failed('reactivation')],
  },
} as const satisfies Readonly<Record<string, AgreementEvent>>;

export type AgreementEventType = keyof typeof AGREEMENT_EVENTS;

/** The table row of an event type; undefined for an unknown type. */
export const agreementEvent = (type: string): AgreementEvent | undefined =>
  isAgreementEvent(type) ? AGREEMENT_EVENTS[type] : undefined;

const isAgreementEvent = (type: string): type is AgreementEventType => Object.hasOwn(AGREEMENT_EVENTS, type);
