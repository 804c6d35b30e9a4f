// What callers ask of a payment, judged and noted. The loop does the rest. Plain JSON and pure.
import { refusalOfWithdrawal } from '../../domain/withdrawal.js';
import { refused } from '../entity/refusal.js';
import { stateOf } from './state.js';
import type { Withdrawal } from '../../domain/withdrawal.js';
import type { State } from './state.js';

/** A repeat is always let through. @throws ApplicationFailure whose type is one of `WITHDRAWAL_REFUSAL_CODES`. */
export function assertWithdrawable(state: State): void {
  const refusal = refusalOfWithdrawal({
    state: stateOf(state),
    isWithdrawn: state.withdrawn !== undefined,
    isUnsent: state.submission.stage === 'ready',
  });
  if (refusal !== undefined) throw refused(refusal.code, refusal.detail);
}

/** It is not sent any more. The first reason stands. */
export const withWithdrawal = (state: State, withdrawn: Withdrawal): State => ({
  ...state,
  withdrawn: state.withdrawn ?? withdrawn,
});
