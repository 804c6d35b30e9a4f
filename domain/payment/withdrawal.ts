// Whether a payment can still be withdrawn. Only a payment that was never sent certainly stays unpaid. Pure.
import type { PaymentLifecycleState } from './lifecycle.js';

export interface Withdrawal {
  reason: string;
  by: string;
}

/** The facts about a payment that decide whether it may be withdrawn. */
interface Withdrawable {
  state: PaymentLifecycleState | 'unknown';
  /** It was withdrawn before. */
  isWithdrawn: boolean;
  /** As far as we know, it is not at the provider and not in flight. */
  isUnsent: boolean;
}

/** Why it may not be withdrawn; undefined if it may be, or if it has been already. */
export function refusalOfWithdrawal({
  state,
  isWithdrawn,
  isUnsent,
}: Withdrawable): { code: 'payment_submitted' | 'payment_final'; detail: string } | undefined {
  if (isWithdrawn || isUnsent) return undefined;
  if (UNPAID.has(state))
    return { code: 'payment_final', detail: `This payment is ${state}, so it needs no withdrawal.` };
  return {
    code: 'payment_submitted',
    detail: `Expected a payment that was never sent; this one is ${state}, and the provider may have it. A sent payment cannot be withdrawn. Wait for its outcome, and refund it if it settles.`,
  };
}

const UNPAID: ReadonlySet<string> = new Set(['failed', 'lapsed', 'withdrawn', 'unknown']);
