// The commands of callers and operators: their validation, and how they change the state. Plain JSON and pure.
import { nextRetryAt } from '../../domain/payment/retry.js';
import { refusalOfWithdrawal } from '../../domain/payment/withdrawal.js';
import * as entity from '../resource/attention.js';
import { refused } from '../engine/refusal.js';
import { isUidOfAnother } from '../resource/others.js';
import { markOpen, restartSearch } from '../resource/submission.js';
import { stateOf, giveUpForOther, giveUpUnresolved } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { Withdrawal } from '../../domain/payment/withdrawal.js';
import type { PaymentState } from './state.js';

/** A repeat always passes. @throws ApplicationFailure whose type is one of `WITHDRAWAL_REFUSAL_CODES`. */
export function validateWithdrawal(state: PaymentState): void {
  const refusal = refusalOfWithdrawal({
    state: stateOf(state),
    isWithdrawn: state.withdrawn !== undefined,
    isUnsent: state.submission.stage === 'ready' || nextRetryAt(state) !== undefined,
  });
  if (refusal !== undefined) throw refused(refusal.code, refusal.detail);
}

/** The payment is not sent any more. The first reason counts. */
export const recordWithdrawal = (state: PaymentState, withdrawn: Withdrawal): PaymentState => ({
  ...state,
  withdrawn: state.withdrawn ?? withdrawn,
});

/** @throws ApplicationFailure `payment_unknown` if the provider did not know the payment for a whole day. */
export function validateLookUp({ submission }: PaymentState): void {
  if (submission.stage === 'unknown')
    throw refused('payment_unknown', 'The provider does not know this payment.');
}

/** A repeat changes nothing. Expects a resolution that passed `validateResolution`. */
export const resolveFlag = (
  state: PaymentState,
  resolution: AttentionResolution,
  now: Instant,
): PaymentState => entity.resolveFlag(state, resolution, now, applyDecision);

/**
 * Resolves a parked submission. If the uid holds another payment, `adopt` follows that payment and `close` records that ours was never sent.
 * If the outcome is unknown, `adopt` searches again and `close` gives up, although the payment may have been made.
 */
function applyDecision(state: PaymentState, decision: Decision, now: Instant): PaymentState {
  const isAnothers = isUidOfAnother(state);
  if (decision === 'close') return isAnothers ? giveUpForOther(state, now) : giveUpUnresolved(state, now);
  return isAnothers ? { ...markOpen(state), adopted: true, isLookUpDue: true } : restartSearch(state, now);
}
