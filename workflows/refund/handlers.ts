// The messages that a refund accepts, and how they change its state.
import { validateResolution } from '../resource/attention.js';
import { updateState, unblock } from '../engine/handlers.js';
import { claimBy } from '../resource/claim.js';
import { requestLookUp } from '../resource/others.js';
import { refused } from '../engine/refusal.js';
import { newRefund, recordFact, resolveFlag } from './state.js';
import { viewOf } from './view.js';
import type { Handlers } from '../engine/handlers.js';
import type { messages } from './contract.js';
import type { RefundState } from './state.js';

export const HANDLERS: Handlers<RefundState, typeof messages> = {
  refundFact: updateState(recordFact),
  // The sweep has just read from the provider, so the connection has consent again.
  refundDiffers: updateState((state) => requestLookUp(unblock(state))),
  // Its payment may have given up the wait for this answer, so the refund reports that it is under way.
  claimRefund: claimBy(
    (input, now): RefundState => ({ ...newRefund(input, now), reported: undefined }),
    viewOf,
  ),
  connectionRestored: updateState(unblock),
  lookUpNow: { validate: validateLookUp, ...updateState(requestLookUp) },
  resolveAttention: { validate: validateResolution, ...updateState(resolveFlag) },
  getRefund: { read: viewOf },
};

/** @throws ApplicationFailure `refund_unknown` if the provider did not know the refund for a whole day. */
function validateLookUp({ submission }: RefundState): void {
  if (submission.stage === 'unknown')
    throw refused('refund_unknown', 'The provider does not know this refund.');
}
