// Reads and signals that one workflow sends to the runs of others.
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

export interface Admitted {
  /** The agreement's uid for a payment, or the payment's uid for a refund; absent while unknown. */
  of?: string | undefined;
  /** Cents. */
  amount: number;
  requestedAt: Instant;
  /** Only for refunds. */
  outcome?: RefundOutcome | undefined;
  order?: RefundView['order'];
}

/** Less than the timeout of the activity, so that a workflow that does not answer keeps no slot of the worker. */
const ANSWER_MS = 30_000;

export const runActivities = ({ temporal }: Pick<Dependencies, 'temporal'>) => ({
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
   * Finds out what the workflow with this uid was admitted for. A run that was reset has lost its list of admitted payments or refunds.
   * @returns null if no workflow has the uid any more, or if its order is unknown.
   */
  findAdmitted: ({ kind, uid }: { kind: 'payment' | 'refund'; uid: string }): Promise<Admitted | null> =>
    temporal.withDeadline(Date.now() + ANSWER_MS, () =>
      kind === 'payment' ? findPayment(temporal, uid) : findRefund(temporal, uid),
    ),
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
