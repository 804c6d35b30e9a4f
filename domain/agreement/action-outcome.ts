// What facts say of the actions under way: which of them answers one, and how it ends then (docs/provider.md#agreements-actions, #amendments, #events). Pure.
import { ACTIONS, isUnderWay } from './action.js';
import { agreementEvent } from './events.js';
import { isFinal } from './lifecycle.js';
import { isIdentified } from './identification.js';
import { shortReason } from '../facts/retention.js';
import { inOrder, isBefore, isBeforeSecond } from '../facts/fact.js';
import type { Action } from './action.js';
import type { AgreementLifecycleState, Answer } from './events.js';
import type { Fact, Instant, Reason } from '../facts/fact.js';
import type { Mandate } from './mandate.js';

/** The actions with what these facts say of those under way. An action stays open until a fact answers it. */
export function answeredActions(actions: readonly Action[], facts: readonly Fact[]): Action[] {
  if (!actions.some(isUnderWay)) return [...actions];
  const ordered = inOrder(facts);
  return actions.map((action) => (isUnderWay(action) ? answered(action, ordered) : action));
}

/** The same with those that no event answers, and that the agreement itself shows to be done. */
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
      return endedBy(action, { stage, endedAt: fact.publishedAt, failure: failureIn(stage, fact) });
  }
  return action;
}

type End = Pick<Action, 'stage' | 'endedAt' | 'failure'>;
type Outcome = Answer['outcome'];

const endedBy = (action: Action, end: End): Action => ({ ...action, ...end, isSending: undefined });

function outcomeIn({ command: { kind } }: Action, fact: Fact): Outcome | undefined {
  if (!fact.authenticated) return undefined;
  if (fact.type === 'observed') return fact.state === ACTIONS[kind].to ? 'done' : undefined;
  // The payer amends their own account by themselves: no answer to what we asked for.
  if (fact.type === 'amended' && fact.causedBy === 'debtor') return undefined;
  return agreementEvent(fact.type)?.answers?.find(({ action }) => action === kind)?.outcome;
}

const failureIn = (outcome: Outcome, { type, reason }: Fact): Reason | undefined =>
  outcome === 'failed' ? shortReason({ code: type, ...reason }) : undefined;

/**
 * Whether a fact is news to the action. What was known when it was asked for is not. Anything else is that is not certainly older
 * than the newest that was known: an outcome may bear the very instant of what went before it.
 */
function isNewsTo({ after, priorIds }: Action, fact: Fact): boolean {
  const isLater = after === undefined || fact.publishedAt > after;
  return (
    !priorIds.includes(fact.id) && (isLater || (!isBefore(fact.publishedAt, after) && !isAnothers(fact)))
  );
}

/**
 * What another has done, and may do again and again, within the instant in doubt may as well be old and only received late:
 * it answers nothing, lest something count as done that is not. If it did answer, a snapshot shows the state, and that answers. What
 * is ours cannot be old, since one of a kind is under way at a time.
 */
function isAnothers({ type, causedBy }: Fact): boolean {
  const to = agreementEvent(type)?.moves?.to;
  return to !== undefined && !isFinal(to) && causedBy !== undefined && causedBy !== 'initiator';
}

/**
 * The facts, of those known now, that could be taken for news of an action that is asked for now.
 * @param after the newest that the provider has published, as far as is known.
 */
export const idsSince = (facts: readonly Fact[], after: Instant | undefined): string[] =>
  facts
    .filter(({ authenticated, source }) => authenticated && source !== 'command')
    .filter(({ publishedAt }) => after === undefined || !isBeforeSecond(publishedAt, after))
    .map(({ id }) => id);

/** The actions of an agreement that is over by another's doing, which has taken with it what no fact answers. */
export const actionsAtTheEnd = (
  actions: readonly Action[],
  state: AgreementLifecycleState,
  endedAt: Instant,
): Action[] => {
  const failure = {
    code: 'agreement_final',
    title: `The agreement is ${state}.`,
    next: 'Nothing can be asked of it any more. Start another one, under another uid, if it is still wanted.',
  };
  return withoutOpen(actions, { stage: 'failed', endedAt, failure });
};

/** The actions once those under way have come to this end. */
export const withoutOpen = (actions: readonly Action[], end: End): Action[] =>
  actions.map((action) => (isUnderWay(action) ? endedBy(action, end) : action));
