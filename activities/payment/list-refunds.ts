// Lists the refunds of a payment at the provider, for a payment whose last run has left no state.
import {
  outcomeOfRefund,
  REFUND_STATES,
  type RefundLifecycleState,
  type RefundReport,
} from '../../domain/refund/lifecycle.js';
import { instantOf } from '../resource/snapshot.js';
import type { Dependencies } from '../dependencies.js';

interface RefundsOf {
  /** Of the payment. */
  uid: string;
  connectionId: string;
}

/** A refund in a state that this release does not know counts as under way, so that no cent is refunded twice. */
export const listRefundsActivity =
  ({ payments, withAccess, now }: Pick<Dependencies, 'payments' | 'withAccess' | 'now'>) =>
  ({ uid: originalPaymentUid, connectionId }: RefundsOf): Promise<RefundReport[]> =>
    withAccess(connectionId, async (call) => {
      const reports: RefundReport[] = [];
      for await (const { uid, state, order } of payments.listRefunds({ originalPaymentUid }, call)) {
        const { amount } = order.refund_payment ?? {};
        const outcome = isRefundState(state) ? outcomeOfRefund(state) : 'under_way';
        if (amount !== undefined) reports.push({ uid, amount, outcome, at: instantOf({ now }) });
      }
      return reports;
    });

const isRefundState = (state: string): state is RefundLifecycleState =>
  REFUND_STATES.some((one) => one === state);
