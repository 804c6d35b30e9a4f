// Reads and signals that one workflow sends to the runs of others.
import { WorkflowNotFoundError } from '@temporalio/common';
import { claimPaymentUid } from '../../delivery/claim-payment.js';
import { getRefund, refundWorkflowId } from '../../workflows/refund/contract.js';
import { outcomeOfRefund } from '../../domain/refund/lifecycle.js';
import { ask } from './ask.js';
import type { PaymentHolder, PaymentInput } from '../../workflows/payment/contract.js';
import type { RefundView } from '../../workflows/refund/contract.js';
import type { Message } from '../../workflows/entity/contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RefundOutcome } from '../../domain/refund/lifecycle.js';
import type { Client } from '@temporalio/client';
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
    temporal.workflow
      .getHandle(workflowId)
      .signal(signal, arg)
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }),
  /**
   * Finds out what the refund with this uid was admitted for. A payment's run that was reset has lost its list of admitted refunds.
   * @returns null if no workflow has the uid any more, or if its order is unknown.
   */
  findAdmitted: ({ uid }: { uid: string }): Promise<Admitted | null> =>
    temporal.withDeadline(Date.now() + CALL_MS, () => findRefund(temporal, uid)),
  /** Finds out which agreement holds the uid, and claims it if only an event has named it. */
  claimPayment: (input: PaymentInput): Promise<PaymentHolder | null> =>
    temporal.withDeadline(Date.now() + CALL_MS, () =>
      claimPaymentUid({ client: temporal, taskQueue }, input),
    ),
});

async function findRefund(temporal: Client, uid: string): Promise<Admitted | null> {
  const refund = await ask(temporal, refundWorkflowId(uid), getRefund);
  if (refund?.order === undefined || refund.state === 'unknown') return null;
  const { order, requestedAt, state } = refund;
  const { original_payment_uid: of, refund_payment: { amount = 0 } = {} } = order;
  return { of, amount, requestedAt, outcome: outcomeOfRefund(state), order };
}
