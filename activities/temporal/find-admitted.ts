// Whose the workflow of a payment or a refund is that has a uid already: a run that was reset has forgotten what it had admitted.
import { getPayment, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { getRefund, refundWorkflowId } from '../../workflows/refund/contract.js';
import { outcomeOfRefund } from '../../domain/refund/lifecycle.js';
import { ask } from './ask.js';
import type { RefundView } from '../../workflows/refund/contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RefundOutcome } from '../../domain/refund/lifecycle.js';
import type { Dependencies } from '../dependencies.js';

export interface Admitted {
  /** The uid of the agreement of a payment, or of the payment of a refund; absent while it is not known. */
  of?: string | undefined;
  /** Cents. */
  amount: number;
  requestedAt: Instant;
  /** Of a refund. */
  outcome?: RefundOutcome | undefined;
  order?: RefundView['order'];
}

/** Null where no workflow has the uid any more. */
export const findAdmittedActivity =
  ({ temporal }: Pick<Dependencies, 'temporal'>) =>
  async ({ kind, uid }: { kind: 'payment' | 'refund'; uid: string }): Promise<Admitted | null> => {
    if (kind === 'payment') {
      const payment = await ask(temporal, paymentWorkflowId(uid), getPayment);
      if (payment?.order === undefined) return null;
      const { order, requestedAt } = payment;
      return { of: order.agreement_uid, amount: order.amount, requestedAt };
    }
    const refund = await ask(temporal, refundWorkflowId(uid), getRefund);
    if (refund?.order === undefined || refund.state === 'unknown') return null;
    const { order, requestedAt, state } = refund;
    const { original_payment_uid: of, refund_payment: { amount = 0 } = {} } = order;
    return { of, amount, requestedAt, outcome: outcomeOfRefund(state), order };
  };
