// The commands of callers and operators: their validation, and how they change the state. Plain JSON and pure.
import { nextRetryAt } from '../../domain/payment/retry.js';
import { refusalOfWithdrawal, type Withdrawal } from '../../domain/payment/withdrawal.js';
import * as entity from '../resource/attention.js';
import { refused } from '../engine/refusal.js';
import { applyOwnEnd, stateOf, type PaymentState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AttentionResolution } from '../../domain/attention/resolution.js';

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
export const applyWithdrawal = (state: PaymentState, withdrawn: Withdrawal): PaymentState => ({
  ...state,
  withdrawn: state.withdrawn ?? withdrawn,
});

export const resolveFlag = (
  state: PaymentState,
  resolution: AttentionResolution,
  now: Instant,
): PaymentState =>
  entity.resolveFlag(
    state,
    resolution,
    now,
    entity.decideParked({ noun: 'payment', applyOwnEnd, made: 'paid' }),
  );
