// Commands of callers for an agreement: validated, recorded, sent, and recorded again with their outcome. Plain JSON and pure.
import {
  ACTIONS,
  isUnderWay,
  refusalOfAction,
  useOfAction,
  type Action,
  type ActionRequest,
  type ActionStage,
} from '../../domain/agreement/action.js';
import { AGREEMENT_LIFECYCLE } from '../../domain/agreement/lifecycle.js';
import { refusalId, requestId } from '../../domain/commands/ids.js';
import { inOrder, isPublished, type Instant, type Reason } from '../../domain/facts/fact.js';
import { idsSince } from '../../domain/agreement/action-outcome.js';
import { applyUse, repeatOfUse } from '../../domain/commands/key-use.js';
import { applyLocalFact } from '../resource/attention.js';
import { refused } from '../engine/refusal.js';
import { foldedOf, markLookUpStarted } from '../resource/state.js';
import { stateOf, type AgreementState } from './state.js';

/** How many actions we store. Above that, the oldest ended ones are dropped. */
const MAX_ENDED_ACTIONS = 100;

/**
 * Refuses a command that is not possible now. Always accepts a repeat.
 * @throws ApplicationFailure whose type is an `ActionRefusalCode` or `action_key_conflict`.
 */
export function validateRequest(state: AgreementState, request: ActionRequest): void {
  const repeat = repeatOfUse(state, useOfAction(state.uid, request));
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('action_key_conflict', 'This key was already used for a different request. Use a new key.');
  if (state.submission.stage === 'parked')
    throw refused(
      'agreement_state_forbids',
      'The agreement is parked, so no command can be sent. An operator must resolve its flag `parked` first.',
    );
  const { causedBy, state: lifecycleState } = foldedOf(AGREEMENT_LIFECYCLE, state);
  const { actions, mandate } = state;
  const refusal = refusalOfAction({ state: lifecycleState, causedBy, actions, mandate }, request.command);
  if (refusal !== undefined) throw refused(refusal.code, refusal.detail);
}

/** Records a request that `validateRequest` accepted. A repeat changes nothing. */
export function acceptRequest(state: AgreementState, request: ActionRequest, now: Instant): AgreementState {
  const use = useOfAction(state.uid, request);
  return repeatOfUse(state, use) === 'none' ? applyUse(applyAction(state, request, now), use) : state;
}

/**
 * Records the request as a fact of our own. `after` is the time of the latest authenticated event of the provider: an unauthenticated one may still
 * turn out to be the outcome, and our own facts carry times of our clock.
 */
function applyAction(state: AgreementState, request: ActionRequest, now: Instant): AgreementState {
  const facts = inOrder(state.facts);
  // If no event of the provider is stored any more, use the time of the dropped ones.
  const after =
    facts.findLast((fact) => fact.authenticated && isPublished(fact))?.publishedAt ?? state.droppedUntil;
  const priorIds = idsSince(facts, after);
  const action: Action = { ...request, requestedAt: now, after, priorIds, stage: 'asked', isReady: true };
  const open = state.actions.filter(isUnderWay);
  const ended = state.actions.filter((other) => !isUnderWay(other));
  const actions = [...ended.slice(-(MAX_ENDED_ACTIONS - open.length - 1)), ...open, action];
  const detail = { action: request.command.kind, ...(request.by !== undefined && { by: request.by }) };
  return applyLocalFact({ ...state, actions }, requestId(request.key), 'requested', now, detail);
}

/** Marks the command as in flight. Until its outcome is known, no look-up and no other command starts. */
export const markActionSending = (state: AgreementState, key: string): AgreementState =>
  changed(markLookUpStarted(state), key, (action) => ({ ...action, isSending: true }));

export const markActionAccepted = (state: AgreementState, key: string, now: Instant): AgreementState =>
  changed(state, key, (action) =>
    action.stage === 'asked'
      ? { ...action, stage: 'accepted', acceptedAt: now, isSending: undefined }
      : action,
  );

/** The provider's answer, or a snapshot, shows that the command was executed. */
export const markActionDone = (state: AgreementState, key: string, now: Instant): AgreementState => ({
  ...changed(state, key, (action) => (isUnderWay(action) ? ended(action, 'done', now) : action)),
  isLookUpDue: true,
});

/** The outcome of the call is unknown: look the agreement up before sending the command again. */
export const markActionUnanswered = (state: AgreementState, key: string): AgreementState => ({
  ...changed(state, key, (action) => ({ ...action, isReady: undefined, isSending: undefined })),
  isLookUpDue: true,
});

/** The provider refused the command permanently. The action has ended and the agreement is unchanged. */
export function markActionRefused(
  state: AgreementState,
  key: string,
  now: Instant,
  failure: Reason,
): AgreementState {
  const action = state.actions.find((one) => one.key === key);
  // The outcome may have been received while the refusal was in flight.
  if (action === undefined || !isUnderWay(action)) return state;
  const over = changed(state, key, (one) => ended(one, 'refused', now, failure));
  return applyLocalFact(over, refusalId(key), 'refused', now, { action: action.command.kind }, failure);
}

/**
 * The provider refused the command because of the agreement's state, perhaps because it had already executed it. The snapshot fetched then decides.
 * @param snapshotState the state in that snapshot, which `state` already includes.
 */
export function resolveActionOutOfPlace(
  state: AgreementState,
  key: string,
  { snapshotState, now, failure }: { snapshotState: string; now: Instant; failure: Reason },
): AgreementState {
  const action = state.actions.find((one) => one.key === key);
  if (action === undefined || !isUnderWay(action)) return state;
  // The snapshot shows the target state, but no known fact led to it. Treat that like any other disagreement: settling it answers the action.
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
