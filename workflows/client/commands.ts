// The validators of the commands of a client. Pure.
import { isClientFinal, CLIENT_LIFECYCLE } from '../../domain/client/lifecycle.js';
import { useOfResolution, type AttentionResolution } from '../../domain/attention/resolution.js';
import { repeatOfUse } from '../../domain/commands/key-use.js';
import { validateResolution } from '../resource/attention.js';
import { refused } from '../engine/refusal.js';
import { foldedOf } from '../resource/state.js';
import { adoptedId, changeDue, type ChangeRequest, type ClientState } from './state.js';

/** @throws ApplicationFailure like `validateResolution`; `decision_needed` if `client_id` is missing, unknown or not allowed. */
export function validateDecision(state: ClientState, resolution: AttentionResolution): void {
  validateResolution(state, resolution);
  if (repeatOfUse(state, useOfResolution(state.uid, resolution)) === 'same') return;
  const { decision, clientId } = resolution;
  const isChosen = decision === 'adopt' && state.submission.parkedFor === 'difference';
  if (isChosen ? adoptedId(state, clientId) !== undefined : clientId === undefined) return;
  const detail = isChosen
    ? `The decision does not name our client. Expected \`client_id\` to be one of ${(state.candidates ?? []).join(', ')}.`
    : 'Expected `client_id` only with `adopt`, and only if the provider has clients that may be ours.';
  throw refused('decision_needed', detail, { pointer: '/client_id' });
}

/** @throws ApplicationFailure `change_key_conflict`, `client_final`, `client_not_registered` or `change_pending`. */
export function validateChange(state: ClientState, request: ChangeRequest): void {
  const repeat = repeatOfUse(state, request.use);
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('change_key_conflict', 'This key was already used for a different request. Use a new key.');
  if (isClientFinal(foldedOf(CLIENT_LIFECYCLE, state).state))
    throw refused('client_final', 'This client ended unregistered and accepts no more commands.');
  if (state.providerId === undefined || state.submission.stage !== 'open')
    throw refused('client_not_registered', 'The client is not registered.');
  if (changeDue(state) !== undefined)
    throw refused('change_pending', 'Another change is pending. Try again once it has ended.');
}
