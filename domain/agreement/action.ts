// The commands for an agreement, and when each is allowed (docs/provider.md#operations, #agreements-actions and #amendments). Pure.
// The provider answers only that it accepts or refuses a command. The outcome follows: as an event, or in a look-up for an identification.
import { useOf, type KeyUse } from '../commands/key-use.js';
import { isFinal } from './lifecycle.js';
import { refusalsOfIdentification } from './identification.js';
import type { ActionKind, AgreementLifecycleState } from './events.js';
import type { Instant, Reason } from '../facts/fact.js';
import type { Mandate } from './mandate.js';
import type { Identification, Proposal, Why } from './action.schema.js';

export type { ActionKind } from './events.js';
export type { Proposal } from './action.schema.js';

/** A command, with the body that the provider expects. */
export type ActionCommand =
  | { kind: 'suspension' | 'cancellation'; body: Why }
  | { kind: 'reactivation' | 'amendment_recall'; body: { [key: string]: never } }
  | { kind: 'amendment'; body: Proposal }
  | { kind: 'identification'; body: Identification };

export interface ActionRequest {
  /** Digest of the caller's key within its scope (domain/commands/key-use.ts). Requests with the same key are one request. */
  key: string;
  /** The key as the caller wrote it, for answers. */
  callersKey?: string | undefined;
  by?: string | undefined;
  command: ActionCommand;
}

/** The use of the command's key. @param uid of the agreement. */
export const useOfAction = (uid: string, { key, command }: ActionRequest): KeyUse => useOf(key, uid, command);

/**
 * `asked`: not known to have reached the provider. `accepted`: the outcome is pending. The others are final:
 * `refused`: the provider did not accept it. `failed`: the provider accepted it, but it had no effect.
 */
export const ACTION_STAGES = ['asked', 'accepted', 'done', 'failed', 'refused'] as const;
export type ActionStage = (typeof ACTION_STAGES)[number];

export interface Action extends ActionRequest {
  requestedAt: Instant;
  /** When the newest fact known at the time of the request was published, by the provider's clock. The outcome is not published before it. */
  after: Instant | undefined;
  /** Ids of facts known at that time that could appear to be later than `after`. */
  priorIds: string[];
  stage: ActionStage;
  /**
   * No earlier call of it has an unknown outcome, so it is sent before any look-up. A call without an answer removes this mark;
   * the next snapshot restores it.
   */
  isReady?: true | undefined;
  isSending?: true | undefined;
  acceptedAt?: Instant | undefined;
  endedAt?: Instant | undefined;
  failure?: Reason | undefined;
}

interface Rule {
  from: readonly AgreementLifecycleState[];
  /** The resulting state; absent if the state does not change. */
  to?: AgreementLifecycleState;
  /** Each lane allows one action in progress. */
  lane: 'standing' | 'amendment' | 'recall' | 'identification';
}

/** It is not documented whether the provider accepts a cancellation before the payer has decided (docs/provider.md#unknown). */
export const ACTIONS: Readonly<Record<ActionKind, Rule>> = {
  suspension: { from: ['active'], to: 'suspended', lane: 'standing' },
  reactivation: { from: ['suspended'], to: 'active', lane: 'standing' },
  cancellation: { from: ['pending', 'created', 'active', 'suspended'], to: 'cancelled', lane: 'standing' },
  amendment: { from: ['active', 'suspended'], lane: 'amendment' },
  amendment_recall: { from: ['active', 'suspended'], lane: 'recall' },
  identification: { from: ['pending', 'created', 'active', 'suspended'], lane: 'identification' },
};

export type ActionRefusalCode =
  | 'agreement_final' // The agreement has ended and accepts no commands.
  | 'agreement_state_forbids'
  | 'suspended_by_payer' // Only the payer can resume it.
  | 'action_pending' // An action in the same lane is in progress.
  | 'no_amendment' // No amendment is pending, so there is nothing to recall.
  | 'identified_before'; // This identifier, or another one, has been added already.

export interface ActionRefusal {
  code: ActionRefusalCode;
  detail: string;
}

/** The facts about an agreement that decide whether an action is allowed. */
export interface ActionContext {
  state: AgreementLifecycleState;
  /** As the provider last showed it. */
  mandate?: Mandate | undefined;
  /** The provider's word for who caused the current state. */
  causedBy?: string | undefined;
  actions: readonly Action[];
}

/** Whether its outcome is still pending. */
export const isUnderWay = ({ stage }: Action): boolean => stage === 'asked' || stage === 'accepted';

/** Why this command is refused now; undefined if it is allowed (docs/provider.md#agreements-actions, #amendments). */
export function refusalOfAction(
  { state, causedBy, actions, mandate }: ActionContext,
  command: ActionCommand,
): ActionRefusal | undefined {
  const { kind } = command;
  const { from, lane } = ACTIONS[kind];
  if (isFinal(state)) {
    return {
      code: 'agreement_final',
      detail: `This agreement is ${state} and accepts no commands.`,
    };
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
      detail: 'The payer suspended this agreement. Only the payer can resume it, in their bank’s app.',
    };
  }
  const open = actions.filter(isUnderWay);
  const rival = open.find((action) => ACTIONS[action.command.kind].lane === lane);
  if (rival !== undefined) {
    const detail = `A ${wordsFor(rival.command.kind)} has been in progress since ${rival.requestedAt}. Wait for its outcome.`;
    return { code: 'action_pending', detail };
  }
  if (kind === 'amendment_recall' && !open.some(({ command }) => command.kind === 'amendment')) {
    return { code: 'no_amendment', detail: 'There is no pending amendment to recall.' };
  }
  if (kind !== 'identification') return undefined;
  const [first] = refusalsOfIdentification({ state, mandate, ask: command.body });
  return first && { code: 'identified_before', detail: `At ${first.pointer}: ${first.detail}.` };
}

export const wordsFor = (kind: ActionKind): string => kind.replace('_', ' ');
