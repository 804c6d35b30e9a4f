// What we can ask of an agreement at the provider, and how each ask ends (interface 4.3, facts 7.4 and 7.5). Pure.
// The provider answers "accepted" and tells the outcome later; some answers are refusals before anything is sent.
import { agreementEvent } from './agreement-events.js';
import { isFinal } from './agreement.js';
import { inOrder } from './fact.js';
import type { ActionKind } from './agreement-events.js';
import type { AgreementState } from './agreement-state.js';
import type { Fact, Instant, Reason } from './fact.js';
import type { Party, PaymentTerms } from './mandate.js';

export type { ActionKind } from './agreement-events.js';

/** Why, in one of the provider's words and in a sentence of ours (facts 7.4). */
export interface Why {
  reason: string;
  narrative: string;
}

/** What an amendment can change; null takes away what is no longer to hold (facts 7.5). */
export interface AgreementChanges {
  description?: string | undefined;
  validity_end_date?: string | null | undefined;
  payment_terms?: PaymentTerms | undefined;
  creditor?: Party | undefined;
}

export interface Proposal {
  changes: AgreementChanges;
  resolution_requested_before?: Instant | undefined;
}

/** What is asked, with the body as the provider takes it. */
export type Ask =
  | { kind: 'suspension' | 'cancellation'; body: Why }
  | { kind: 'reactivation' | 'amendment_recall'; body: { [key: string]: never } }
  | { kind: 'amendment'; body: Proposal };

/** The key is the caller's: the same key is the same request, however often it comes. */
export interface ActionRequest {
  key: string;
  ask: Ask;
}

/**
 * `asked`: not known to have reached the provider. `accepted`: its outcome comes later. The rest are ends:
 * `refused` when the provider would not take it, `failed` when it was taken and came to nothing.
 */
export type ActionStage = 'asked' | 'accepted' | 'done' | 'failed' | 'refused';

export interface Action extends ActionRequest {
  askedAt: Instant;
  /** The newest fact, by the provider's clock, that was known when it was asked for: its outcome is published later. */
  after: Instant | undefined;
  stage: ActionStage;
  acceptedAt?: Instant | undefined;
  endedAt?: Instant | undefined;
  /** Why it was refused or failed. */
  failure?: Reason | undefined;
}

interface Rule {
  from: readonly AgreementState[];
  /** Where it leads; absent where the state stays as it is. */
  to?: AgreementState;
  /** Only one in each lane can be under way. */
  lane: 'standing' | 'amendment' | 'recall';
}

/** Whether a cancellation is taken before the payer has decided is the provider's to say (facts 18). */
export const ACTIONS: Readonly<Record<ActionKind, Rule>> = {
  suspension: { from: ['active'], to: 'suspended', lane: 'standing' },
  reactivation: { from: ['suspended'], to: 'active', lane: 'standing' },
  cancellation: { from: ['pending', 'created', 'active', 'suspended'], to: 'cancelled', lane: 'standing' },
  amendment: { from: ['active', 'suspended'], lane: 'amendment' },
  amendment_recall: { from: ['active', 'suspended'], lane: 'recall' },
};

export type ActionRefusalCode =
  | 'agreement_final' // it is over; nothing can be asked of it
  | 'agreement_state_forbids'
  | 'suspended_by_payer' // who paused it must resume it
  | 'action_pending' // another of its kind is under way
  | 'no_amendment'; // there is none that could be taken back

export interface ActionRefusal {
  code: ActionRefusalCode;
  detail: string;
}

/** Where an agreement stands, as far as actions care. */
export interface ActionStanding {
  state: AgreementState;
  /** Who brought it into this state, in the provider's words. */
  causedBy?: string | undefined;
  actions: readonly Action[];
}

export const isUnderWay = ({ stage }: Action): boolean => stage === 'asked' || stage === 'accepted';

/** The reason not to ask for this now, or nothing when it may be asked (facts 7.4, 7.5). */
export function refusalOfAction(
  { state, causedBy, actions }: ActionStanding,
  kind: ActionKind,
): ActionRefusal | undefined {
  const { from, lane } = ACTIONS[kind];
  if (isFinal(state)) {
    return { code: 'agreement_final', detail: `This agreement is ${state}, which is final.` };
  }
  if (!from.includes(state)) {
    const expected = from.join(' or ');
    return {
      code: 'agreement_state_forbids',
      detail: `Expected an agreement that is ${expected}; this one is ${state}.`,
    };
  }
  if (kind === 'reactivation' && causedBy === 'debtor') {
    return {
      code: 'suspended_by_payer',
      detail: 'The payer paused this agreement, and only the payer can resume it, in their bank’s app.',
    };
  }
  const open = actions.filter(isUnderWay);
  const rival = open.find((action) => ACTIONS[action.ask.kind].lane === lane);
  if (rival !== undefined) {
    const detail = `A ${wordsFor(rival.ask.kind)} has been under way since ${rival.askedAt}; its outcome is awaited.`;
    return { code: 'action_pending', detail };
  }
  if (kind === 'amendment_recall' && !open.some(({ ask }) => ask.kind === 'amendment')) {
    return { code: 'no_amendment', detail: 'No amendment of ours awaits the payer’s decision.' };
  }
  return undefined;
}

export const wordsFor = (kind: ActionKind): string => kind.replace('_', ' ');

/** The actions with what these facts say of those under way. An action stays open until a fact answers it. */
export function answeredActions(actions: readonly Action[], facts: readonly Fact[]): Action[] {
  const ordered = inOrder(facts);
  return actions.map((action) => (isUnderWay(action) ? answered(action, ordered) : action));
}

function answered(action: Action, facts: readonly Fact[]): Action {
  for (const fact of facts) {
    const outcome = outcomeIn(action, fact);
    if (outcome !== undefined) {
      return { ...action, stage: outcome, endedAt: fact.publishedAt, failure: failureIn(outcome, fact) };
    }
  }
  return action;
}

/** The actions of an agreement that is over by another's doing, which has taken with it what no fact answers. */
export const actionsAtTheEnd = (
  actions: readonly Action[],
  state: AgreementState,
  endedAt: Instant,
): Action[] => {
  const failure = { code: 'agreement_final', title: `The agreement is ${state}.` };
  return withoutOpen(actions, { stage: 'failed', endedAt, failure });
};

/** The actions once those under way have come to this end. */
export const withoutOpen = (
  actions: readonly Action[],
  end: Pick<Action, 'stage' | 'endedAt' | 'failure'>,
): Action[] => actions.map((action) => (isUnderWay(action) ? { ...action, ...end } : action));

function outcomeIn({ ask: { kind }, after }: Action, fact: Fact): 'done' | 'failed' | undefined {
  if (!fact.authenticated || (after !== undefined && fact.publishedAt <= after)) return undefined;
  if (fact.type === 'observed') return fact.state === ACTIONS[kind].to ? 'done' : undefined;
  // The payer amends their own account by themselves: no answer to what we asked for.
  if (fact.type === 'amended' && fact.causedBy === 'debtor') return undefined;
  return agreementEvent(fact.type)?.answers?.find(({ action }) => action === kind)?.outcome;
}

const failureIn = (outcome: 'done' | 'failed', { type, reason }: Fact): Reason | undefined =>
  outcome === 'failed' ? { code: type, ...reason } : undefined;
