// What callers ask of an agreement: judged, noted, sent, and noted again with its outcome. Plain JSON and pure.
import { ACTIONS, isUnderWay, refusalOfAction, useOfAction } from '../../domain/agreement/action.js';
import { AGREEMENT_LIFECYCLE } from '../../domain/agreement/lifecycle.js';
import { refusalId, requestId } from '../../domain/commands/ids.js';
import { inOrder, isPublished } from '../../domain/facts/fact.js';
import { idsSince } from '../../domain/agreement/action-outcome.js';
import { recordUse, repeatOfUse } from '../../domain/commands/key-use.js';
import { recordLocalFact } from '../entity/resource/attention.js';
import { refused } from '../entity/engine/refusal.js';
import { foldedOf, markLookUpStarted } from '../entity/resource/state.js';
import { stateOf } from './state.js';
import type { Action, ActionRequest, ActionStage } from '../../domain/agreement/action.js';
import type { Instant, Reason } from '../../domain/facts/fact.js';
import type { AgreementState } from './state.js';

/** Of those that have ended the newest are kept. */
const MAX_ENDED_ACTIONS = 100;

/**
 * Refuses, writing nothing, what cannot be asked now. A repeat is always let through.
 * @throws ApplicationFailure whose type is an `ActionRefusalCode` or `action_key_conflict`.
 */
export function validateRequest(state: AgreementState, request: ActionRequest): void {
  const repeat = repeatOfUse(state, useOfAction(state.uid, request));
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('action_key_conflict', 'This key was used before, for something else.');
  if (state.submission.stage === 'parked')
    throw refused(
      'agreement_state_forbids',
      'Expected an agreement that the provider has; this one is parked.',
    );
  const { causedBy, state: lifecycleState } = foldedOf(AGREEMENT_LIFECYCLE, state);
  const { actions, mandate } = state;
  const refusal = refusalOfAction({ state: lifecycleState, causedBy, actions, mandate }, request.command);
  if (refusal !== undefined) throw refused(refusal.code, refusal.detail);
}

/** A repeat changes nothing. Expects what `validateRequest` let through. */
export function acceptRequest(state: AgreementState, request: ActionRequest, now: Instant): AgreementState {
  const use = useOfAction(state.uid, request);
  return repeatOfUse(state, use) === 'none' ? recordUse(recordAction(state, request, now), use) : state;
}

/**
 * Notes what was asked for, as a fact of our own among the provider's. What is not authenticated yet may still answer it, and
 * what is ours was not published by the provider's clock.
 */
function recordAction(state: AgreementState, request: ActionRequest, now: Instant): AgreementState {
  const facts = inOrder(state.facts);
  // Where no fact of the provider's is kept any more, the dropped ones are old.
  const after =
    facts.findLast((fact) => fact.authenticated && isPublished(fact))?.publishedAt ?? state.droppedUntil;
  const priorIds = idsSince(facts, after);
  const action: Action = { ...request, requestedAt: now, after, priorIds, stage: 'asked', isReady: true };
  const open = state.actions.filter(isUnderWay);
  const ended = state.actions.filter((other) => !isUnderWay(other));
  const actions = [...ended.slice(-(MAX_ENDED_ACTIONS - open.length - 1)), ...open, action];
  const detail = { action: request.command.kind, ...(request.by !== undefined && { by: request.by }) };
  return recordLocalFact({ ...state, actions }, requestId(request.key), 'requested', now, detail);
}

/** It is on its way: from now on it has to be known what became of it before anything else is looked up or sent. */
export const markActionSending = (state: AgreementState, key: string): AgreementState =>
  changed(markLookUpStarted(state), key, (action) => ({ ...action, isSending: true }));

export const markActionAccepted = (state: AgreementState, key: string, now: Instant): AgreementState =>
  changed(state, key, (action) =>
    action.stage === 'asked'
      ? { ...action, stage: 'accepted', acceptedAt: now, isSending: undefined }
      : action,
  );

/** The provider has done it by answering, or shows that it is done. */
export const markActionDone = (state: AgreementState, key: string, now: Instant): AgreementState => ({
  ...changed(state, key, (action) => (isUnderWay(action) ? ended(action, 'done', now) : action)),
  isLookUpDue: true,
});

/** It is not known whether it was taken: the agreement is looked up before it is sent again. */
export const markActionUnanswered = (state: AgreementState, key: string): AgreementState => ({
  ...changed(state, key, (action) => ({ ...action, isReady: undefined, isSending: undefined })),
  isLookUpDue: true,
});

/** The provider would not take it, and will not take it again: the action is over, the agreement as it was. */
export function markActionRefused(
  state: AgreementState,
  key: string,
  now: Instant,
  failure: Reason,
): AgreementState {
  const action = state.actions.find((one) => one.key === key);
  // Its outcome may have been received while the refusal was on its way.
  if (action === undefined || !isUnderWay(action)) return state;
  const over = changed(state, key, (one) => ended(one, 'refused', now, failure));
  return recordLocalFact(over, refusalId(key), 'refused', now, { action: action.command.kind }, failure);
}

/**
 * The provider said that this is not the state for it: perhaps because it has been done. The snapshot that was fetched then says.
 * @param shown the state in that snapshot, which the given state has taken in.
 */
export function resolveActionOutOfPlace(
  state: AgreementState,
  key: string,
  { snapshotState, now, failure }: { snapshotState: string; now: Instant; failure: Reason },
): AgreementState {
  const action = state.actions.find((one) => one.key === key);
  if (action === undefined || !isUnderWay(action)) return state;
  // Shown as done, though no known fact did it: that is settled like any other disagreement, and answers the action.
  const isDone = ACTIONS[action.command.kind].to === snapshotState;
  if (isDone && stateOf(state) !== snapshotState) return markActionAccepted(state, key, now);
  return markActionRefused(state, key, now, failure);
}

const ended = (action: Action, stage: ActionStage, endedAt: Instant, failure?: Reason): Action => ({
  ...action,
  stage,
  endedAt,
  failure,
  isSending: undefined,
});

const changed = (state: AgreementState, key: string, by: (action: Action) => Action): AgreementState => ({
  ...state,
  actions: state.actions.map((action) => (action.key === key ? by(action) : action)),
});
