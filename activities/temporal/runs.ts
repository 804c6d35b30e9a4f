// Reads and signals that one workflow sends to the runs of others.
import { isFound } from '../../delivery/open.js';
import { claimPaymentUid, claimRefundUid } from '../../delivery/claim.js';
import { outcomeOfRefund } from '../../domain/refund/lifecycle.js';
import type { PaymentHolder, PaymentInput, PaymentView } from '../../workflows/payment/contract.js';
import type { RefundInput, RefundView } from '../../workflows/refund/contract.js';
import type { Message } from '../../workflows/contracts/every-workflow.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RefundOutcome } from '../../domain/refund/lifecycle.js';
import type { Dependencies } from '../dependencies.js';

export interface Admitted {
  /** The payment's uid; absent while unknown. */
  of?: string | undefined;
  /** Cents. */
  amount: number;
  requestedAt: Instant;
  outcome?: RefundOutcome | undefined;
  order?: RefundView['order'];
}

/** Limits each attempt: the other run may never answer. */
const CALL_MS = 4000;

export const runActivities = ({ temporal, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>) => ({
  /** @returns false if no run with this id is open. */
  signalRun: ({ workflowId, signal, arg }: Message): Promise<boolean> =>
    isFound(temporal.workflow.getHandle(workflowId).signal(signal, arg)),
  /** Finds out which agreement holds the uid, and claims it if only events have named it. */
  claimPayment: (input: PaymentInput): Promise<PaymentHolder | null> =>
    temporal.withDeadline(Date.now() + CALL_MS, async () =>
      holderIn(await claimPaymentUid({ client: temporal, taskQueue }, input)),
    ),
  /**
   * Finds out what the refund with this uid was admitted for, and claims it if only events have named it. A payment's run that was reset
   * has lost its list of admitted refunds.
   */
  claimRefund: (input: RefundInput): Promise<Admitted | null> =>
    temporal.withDeadline(Date.now() + CALL_MS, async () =>
      admittedIn(await claimRefundUid({ client: temporal, taskQueue }, input)),
    ),
});

/** Null if the order is unknown. */
const holderIn = ({ order, requestedAt }: PaymentView): PaymentHolder | null =>
  order === undefined ? null : { of: order.agreement_uid, amount: order.amount, requestedAt };

/** Null if the order is unknown. */
function admittedIn({ order, requestedAt, state }: RefundView): Admitted | null {
  if (order === undefined || state === 'unknown') return null;
  const { original_payment_uid: of, refund_payment: { amount = 0 } = {} } = order;
  return { of, amount, requestedAt, outcome: outcomeOfRefund(state), order };
}
