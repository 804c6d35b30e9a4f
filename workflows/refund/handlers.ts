// What may be sent to a refund, and what it changes.
import { validateResolution } from '../entity/resource/attention.js';
import { updateState, unblock } from '../entity/engine/handlers.js';
import { refused } from '../entity/engine/refusal.js';
import { withFact, withLookUpDue, withResolution } from './state.js';
import { viewOf } from './view.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  refundFact: updateState(withFact),
  connectionRestored: updateState(unblock),
  lookUpNow: { validate: assertLookable, ...updateState(withLookUpDue) },
  resolveAttention: { validate: validateResolution, ...updateState(withResolution) },
  getRefund: { read: viewOf },
};

/** @throws ApplicationFailure `refund_unknown` for what the provider did not know in a whole day. */
function assertLookable({ submission }: State): void {
  if (submission.stage === 'unknown')
    throw refused('refund_unknown', 'The provider does not know this refund.');
}
