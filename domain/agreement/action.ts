// What we can ask of an agreement at the provider, and how each ask ends (docs/provider.md#operations, #agreements-actions and #amendments). Pure.
// The provider answers "accepted", and its outcome comes as an event; some answers are refusals before anything is sent.
import { useOf } from '../commands/key-use.js';
import { isFinal } from './lifecycle.js';
import { refusalsOfIdentification } from './identification.js';
import type { KeyUse } from '../commands/key-use.js';
import type { ActionKind } from './events.js';
import type { AgreementLifecycleState } from './events.js';
import type { Instant, Reason } from '../facts/fact.js';
import type { Mandate } from './mandate.js';
import type { Identification, Proposal, Why } from './action.schema.js';

export type { ActionKind } from './events.js';
export type { Proposal } from './action.schema.js';

/** What is asked, with the body as the provider takes it. */
export type ActionCommand =
  | { kind: 'suspension' | 'cancellation'; body: Why }
  | { kind: 'reactivation' | 'amendment_recall'; body: { [key: string]: never } }
  | { kind: 'amendment'; body: Proposal }
  | { kind: 'identification'; body: Identification };

export interface ActionRequest {
  /** Digest of the caller's key within its scope (domain/commands/key-use.ts): the same key is the same request, however often it comes. */
  key: string;
  /** The key as the caller wrote it, to be answered. */
  callersKey?: string | undefined;
  /** The principal that asked for it. */
  by?: string | undefined;
  command: ActionCommand;
}

/** What its key was used for. @param uid of the agreement. */
export const useOfAction = (uid: string, { key, command }: ActionRequest): KeyUse => useOf(key, uid, command);

/**
 * `asked`: not known to have reached the provider. `accepted`: its outcome comes later. The rest are ends:
 * `refused` when the provider would not take it, `failed` when it was taken and came to nothing.
 */
export const ACTION_STAGES = ['asked', 'accepted', 'done', 'failed', 'refused'] as const;
export type ActionStage = (typeof ACTION_STAGES)[number];

export interface Action extends ActionRequest {
  requestedAt: Instant;
  /** The newest fact, by the provider's clock, that was known when it was asked for: its outcome is published later. */
  after: Instant | undefined;
  /** What was known then and could be taken for later than `after`, by id. */
  priorIds: string[];
  stage: ActionStage;
  /**
   * Nothing of it can have reached the provider without our knowing: it goes before look-ups. A call without an answer takes
   * this away, and the next snapshot gives it back.
   */
  isReady?: true | undefined;
  /** It is on its way. */
  isSending?: true | undefined;
  acceptedAt?: Instant | undefined;
  endedAt?: Instant | undefined;
  /** Why it was refused or failed. */
  failure?: Reason | undefined;
}

interface Rule {
  from: readonly AgreementLifecycleState[];
  /** Where it leads; absent where the state stays as it is. */
  to?: AgreementLifecycleState;
  /** Only one in each lane can be under way. */
  lane: 'standing' | 'amendment' | 'recall' | 'identification';
}

/** Whether a cancellation is taken before the payer has decided is the provider's to say (docs/provider.md#unknown). */
export const ACTIONS: Readonly<Record<ActionKind, Rule>> = {
  suspension: { from: ['active'], to: 'suspended', lane: 'standing' },
  reactivation: { from: ['suspended'], to: 'active', lane: 'standing' },
  cancellation: { from: ['pending', 'created', 'active', 'suspended'], to: 'cancelled', lane: 'standing' },
  amendment: { from: ['active', 'suspended'], lane: 'amendment' },
  amendment_recall: { from: ['active', 'suspended'], lane: 'recall' },
  identification: { from: ['pending', 'created', 'active', 'suspended'], lane: 'identification' },
};

export const ACTION_REFUSAL_CODES = [
  'agreement_final', // it is over; nothing can be asked of it
  'agreement_state_forbids',
  'suspended_by_payer', // who paused it must resume it
  'action_pending', // another of its kind is under way
  'no_amendment', // there is none that could be taken back
  'identified_before', // what is to be added is there, or another is
] as const;
export type ActionRefusalCode = (typeof ACTION_REFUSAL_CODES)[number];

export interface ActionRefusal {
  code: ActionRefusalCode;
  detail: string;
}

/** Where an agreement stands, as far as actions care. */
export interface ActionContext {
  state: AgreementLifecycleState;
  /** As the provider last showed it. */
  mandate?: Mandate | undefined;
  /** Who brought it into this state, in the provider's words. */
  causedBy?: string | undefined;
  actions: readonly Action[];
}

/** Whether its outcome is still open. */
export const isUnderWay = ({ stage }: Action): boolean => stage === 'asked' || stage === 'accepted';

/** The reason not to command for this now, or nothing when it may be asked (docs/provider.md#agreements-actions, #amendments). */
export function refusalOfAction(
  { state, causedBy, actions, mandate }: ActionContext,
  command: ActionCommand,
): ActionRefusal | undefined {
  const { kind } = command;
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
  const rival = open.find((action) => ACTIONS[action.command.kind].lane === lane);
  if (rival !== undefined) {
    const detail = `A ${wordsFor(rival.command.kind)} has been under way since ${rival.requestedAt}; its outcome is awaited.`;
    return { code: 'action_pending', detail };
  }
  if (kind === 'amendment_recall' && !open.some(({ command }) => command.kind === 'amendment')) {
    return { code: 'no_amendment', detail: 'No amendment of ours awaits the payer’s decision.' };
  }
  if (kind !== 'identification') return undefined;
  const [first] = refusalsOfIdentification({ state, mandate, ask: command.body });
  return first && { code: 'identified_before', detail: `At ${first.pointer}: ${first.detail}.` };
}

export const wordsFor = (kind: ActionKind): string => kind.replace('_', ' ');
