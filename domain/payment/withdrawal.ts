// Whether a payment can still be withdrawn: only what was never sent certainly stays unpaid. Pure.
import type { PaymentLifecycleState } from './lifecycle.js';

export interface Withdrawal {
  /** Why; kept with the payment. */
  reason: string;
  /** The principal that asked for it. */
  by: string;
}

export const WITHDRAWAL_REFUSAL_CODES = ['payment_submitted', 'payment_final'] as const;

/** Where a payment stands, as far as a withdrawal cares. */
interface Withdrawable {
  state: PaymentLifecycleState | 'unknown';
  /** It was withdrawn before. */
  isWithdrawn: boolean;
  /** It is not at the provider and not on its way there, as far as is known. */
  isUnsent: boolean;
}

/** The reason not to withdraw it, or nothing where it may be withdrawn, now or before. */
export function refusalOfWithdrawal({
  state,
  isWithdrawn,
  isUnsent,
}: Withdrawable): { code: (typeof WITHDRAWAL_REFUSAL_CODES)[number]; detail: string } | undefined {
  if (isWithdrawn || isUnsent) return undefined;
  if (UNPAID.has(state))
    return { code: 'payment_final', detail: `This payment is ${state}: nothing more of it is sent.` };
  return {
    code: 'payment_submitted',
    detail: `Expected a payment that was never sent; this one is ${state}, and may be at the provider. What was sent cannot be called back: await its outcome, and if it settles, pay it back.`,
  };
}

const UNPAID: ReadonlySet<string> = new Set(['failed', 'lapsed', 'withdrawn', 'unknown']);
