// Which facts answer the actions in progress, and how each action ends (docs/provider.md#agreements-actions, #amendments, #events). Pure.
import { ACTIONS, isUnderWay, type Action } from './action.js';
import { agreementEvent, type AgreementLifecycleState, type Answer } from './events.js';
import { isFinal } from './lifecycle.js';
import { isIdentified } from './identification.js';
import { shortReason } from '../facts/retention.js';
import {
  happenedAt,
  inOrder,
  isBefore,
  isBeforeSecond,
  type Fact,
  type Instant,
  type Reason,
} from '../facts/fact.js';
import type { Mandate } from './mandate.js';

/** Applies the facts to the actions in progress. An action stays open until a fact answers it. */
export function answeredActions(actions: readonly Action[], facts: readonly Fact[]): Action[] {
  if (!actions.some(isUnderWay)) return [...actions];
  const ordered = inOrder(facts);
  return actions.map((action) => (isUnderWay(action) ? answered(action, ordered) : action));
}

/** Completes identifications that the agreement shows as done. No event answers these. */
export const identifiedActions = (actions: readonly Action[], mandate: Mandate, readAt: Instant): Action[] =>
  actions.map((action) =>
    action.command.kind === 'identification' &&
    isUnderWay(action) &&
    isIdentified(mandate, action.command.body)
      ? endedBy(action, { stage: 'done', endedAt: readAt })
      : action,
  );

function answered(action: Action, facts: readonly Fact[]): Action {
  for (const fact of facts) {
    const stage = outcomeIn(action, fact);
    if (stage !== undefined && isNewsTo(action, fact))
      return endedBy(action, { stage, endedAt: happenedAt(fact), failure: failureIn(stage, fact) });
  }
  return action;
}

type End = Pick<Action, 'stage' | 'endedAt' | 'failure'>;
type ActionOutcome = Answer['outcome'];

const endedBy = (action: Action, end: End): Action => ({ ...action, ...end, isSending: undefined });

function outcomeIn({ command: { kind } }: Action, fact: Fact): ActionOutcome | undefined {
  if (!fact.authenticated) return undefined;
  if (fact.type === 'observed') return fact.state === ACTIONS[kind].to ? 'done' : undefined;
  // The payer has amended their own account. This does not answer our amendment.
  if (fact.type === 'amended' && fact.causedBy === 'debtor') return undefined;
  return agreementEvent(fact.type)?.answers?.find(({ action }) => action === kind)?.outcome;
}

const failureIn = (outcome: ActionOutcome, { type, reason }: Fact): Reason | undefined =>
  outcome === 'failed' ? shortReason({ code: type, ...reason }) : undefined;

/**
 * Whether a fact may be the outcome of the action. Facts that were known when it was requested are not. Any other fact may be, unless it is
 * certainly older than the newest known fact: an outcome can have the same instant as the event before it.
 */
function isNewsTo({ after, priorIds }: Action, fact: Fact): boolean {
  const isLater = after === undefined || fact.publishedAt > after;
  return (
    !priorIds.includes(fact.id) && (isLater || (!isBefore(fact.publishedAt, after) && !isAnothers(fact)))
  );
}

/**
 * Another party can cause the same change repeatedly. Within the uncertain second its fact may be old and only received late, so it answers
 * nothing: otherwise an open action could count as done. If it was the answer, a later snapshot shows the state and answers the action.
 * Our own facts cannot be old, because only one action of a kind is open at a time.
 */
function isAnothers({ type, causedBy }: Fact): boolean {
  const to = agreementEvent(type)?.moves?.to;
  return to !== undefined && !isFinal(to) && causedBy !== undefined && causedBy !== 'initiator';
}

/**
 * The ids of known facts that could be mistaken for the outcome of an action requested now.
 * @param after the time of the newest known fact that the provider published.
 */
export const idsSince = (facts: readonly Fact[], after: Instant | undefined): string[] =>
  facts
    .filter(({ authenticated, source }) => authenticated && source !== 'command')
    .filter(({ publishedAt }) => after === undefined || !isBeforeSecond(publishedAt, after))
    .map(({ id }) => id);

/** Fails the open actions of an agreement that another party has ended, since no fact will answer them. */
export const actionsAtTheEnd = (
  actions: readonly Action[],
  state: AgreementLifecycleState,
  endedAt: Instant,
): Action[] => {
  const failure = {
    code: 'agreement_final',
    title: `The agreement is ${state}.`,
    next: 'An ended agreement accepts no commands. Create another agreement under another uid if you still need one.',
  };
  return withoutOpen(actions, { stage: 'failed', endedAt, failure });
};

/** Ends every open action with this result. */
export const withoutOpen = (actions: readonly Action[], end: End): Action[] =>
  actions.map((action) => (isUnderWay(action) ? endedBy(action, end) : action));
