// What the workflows of a life are to each other: whom a signal reaches, and the refunds, which are not followed here.
import type { RefundReport } from '../../domain/refund.js';
import type { RefundInput } from '../../workflows/refund/contract.js';
import type { Host } from './host.js';

/** A signal of one workflow to another: not to one that is over. */
export function signalTo<State>(
  to: Host<State> | undefined,
  signal: (to: Host<State>) => void,
): Promise<boolean> {
  if (to === undefined || to.isOver()) return Promise.resolve(false);
  signal(to);
  return Promise.resolve(true);
}

/** Each refund is processed by then, and reports that. */
export const REFUNDED_AFTER_MS = 5000;
export const processed = ({ uid, order }: RefundInput, at: string): RefundReport => ({
  uid,
  amount: order?.refund_payment.amount ?? 0,
  outcome: 'processed',
  at,
});
