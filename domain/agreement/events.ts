// Every event that the provider publishes of an agreement, as data: what it says, who can be behind it, what it moves and
// which action of ours it answers (docs/provider.md#events-of-agreements, #agreements-states and #events). The tables of states and actions are made from it.

/** In the provider's words (docs/provider.md#agreements-states). */
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

/** What can be asked of an agreement, in the provider's own words for it. */
export const ACTION_KINDS = [
  'suspension',
  'reactivation',
  'cancellation',
  'amendment',
  'amendment_recall',
  'identification',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** Who can have caused a change: the payer, we, or the provider with the banks and the scheme behind it. */
export const CAUSES = ['payer', 'initiator', 'provider'] as const;
export type Cause = (typeof CAUSES)[number];

/** What an event means for an action that is under way. */
export interface Answer {
  action: ActionKind;
  outcome: 'done' | 'failed';
}

export interface AgreementEvent {
  says: string;
  by: readonly Cause[];
  /** Under which name its body says why (docs/provider.md#events); absent where it says no more than its type. */
  why?: 'reason' | 'failure' | 'changes';
  /** The state it leads to, by the states from which it does. Absent: it moves nothing. */
  moves?: { from: readonly AgreementLifecycleState[]; to: AgreementLifecycleState };
  /** It names a change that only the agreement itself shows. */
  needsLookUp?: true;
  answers?: readonly Answer[];
}

// The step from pending to created has no event of its own, so an answer may come while we know only `pending`.
const UNANSWERED = ['pending', 'created'] as const;

const done = (action: ActionKind): Answer => ({ action, outcome: 'done' });
const failed = (action: ActionKind): Answer => ({ action, outcome: 'failed' });

/** By event type without `payto_agreement.`; `amendment_recalled` stands for both spellings (docs/provider.md#differences). */
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
    says: 'it could not be created; noted by us where the provider refuses at once',
    by: ['provider'],
    why: 'failure',
    moves: { from: UNANSWERED, to: 'failed' },
  },
  cancelled: {
    says: 'it was cancelled',
    by: ['payer', 'initiator', 'provider'],
    why: 'reason',
    moves: { from: [...UNANSWERED, 'active', 'suspended'], to: 'cancelled' },
    answers: [done('cancellation')],
  },
  suspended: {
    says: 'it was paused',
    by: ['payer', 'initiator', 'provider'],
    why: 'reason',
    moves: { from: ['active'], to: 'suspended' },
    answers: [done('suspension')],
  },
  reactivated: {
    says: 'it was resumed',
    by: ['payer', 'initiator', 'provider'],
    moves: { from: ['suspended'], to: 'active' },
    answers: [done('reactivation')],
  },
  amended: {
    says: 'its terms were amended',
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
    says: 'the amendment was taken back',
    by: ['initiator'],
    answers: [failed('amendment'), done('amendment_recall')],
  },
  amendment_failed: {
    says: 'the amendment could not be made',
    by: ['provider'],
    why: 'failure',
    answers: [failed('amendment'), failed('amendment_recall')],
  },
  amendment_recall_failed: {
    says: 'the amendment could not be taken back',
    by: ['provider'],
    why: 'failure',
    answers: [failed('amendment_recall')],
  },
  cancellation_failed: {
    says: 'it could not be cancelled',
    by: ['provider'],
    why: 'failure',
    answers: [failed('cancellation')],
  },
  suspension_failed: {
    says: 'it could not be paused',
    by: ['provider'],
    why: 'failure',
    answers: [failed('suspension')],
  },
  reactivation_failed: {
    says: 'it could not be resumed',
    by: ['provider'],
    why: 'failure',
    answers: [failed('reactivation')],
  },
} as const satisfies Readonly<Record<string, AgreementEvent>>;

export type AgreementEventType = keyof typeof AGREEMENT_EVENTS;

/** The row of an event type, or nothing for one that we do not know. */
export const agreementEvent = (type: string): AgreementEvent | undefined =>
  isAgreementEvent(type) ? AGREEMENT_EVENTS[type] : undefined;

const isAgreementEvent = (type: string): type is AgreementEventType => Object.hasOwn(AGREEMENT_EVENTS, type);
