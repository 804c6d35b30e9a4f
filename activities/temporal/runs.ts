// What workflows ask of each other's runs at Temporal.
import { WorkflowNotFoundError } from '@temporalio/common';
import { getPayment, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { getRefund, refundWorkflowId } from '../../workflows/refund/contract.js';
import { outcomeOfRefund } from '../../domain/refund/lifecycle.js';
import { ask } from './ask.js';
import type { RefundView } from '../../workflows/refund/contract.js';
import type { Message } from '../../workflows/entity/contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RefundOutcome } from '../../domain/refund/lifecycle.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from '../dependencies.js';

/** A payment or a refund that has a workflow. */
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

export const runActivities = ({ temporal }: Pick<Dependencies, 'temporal'>) => ({
  /** @returns false where no run under that id is open. */
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
   * Whose the workflow is that has the uid: a run that was reset has forgotten what it had admitted.
   * @returns null where no workflow has the uid any more, or it is not known what it is about.
   */
  findAdmitted: ({ kind, uid }: { kind: 'payment' | 'refund'; uid: string }): Promise<Admitted | null> =>
    kind === 'payment' ? findPayment(temporal, uid) : findRefund(temporal, uid),
});

async function findPayment(temporal: Client, uid: string): Promise<Admitted | null> {
  const payment = await ask(temporal, paymentWorkflowId(uid), getPayment);
  if (payment?.order === undefined) return null;
  const { order, requestedAt } = payment;
  return { of: order.agreement_uid, amount: order.amount, requestedAt };
}

async function findRefund(temporal: Client, uid: string): Promise<Admitted | null> {
  const refund = await ask(temporal, refundWorkflowId(uid), getRefund);
  if (refund?.order === undefined || refund.state === 'unknown') return null;
  const { order, requestedAt, state } = refund;
  const { original_payment_uid: of, refund_payment: { amount = 0 } = {} } = order;
  return { of, amount, requestedAt, outcome: outcomeOfRefund(state), order };
}
