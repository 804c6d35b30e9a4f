// Reads and signals that one workflow sends to the runs of others.
import { claimPaymentUid, claimRefundUid } from '../../delivery/claim.js';
import { deliver, messageOf, type Message as Delivered } from '../../delivery/deliver.js';
import { isFound } from '../../delivery/open.js';
import { recipientOf } from '../../delivery/recipients.js';
import { outcomeOfRefund, type RefundOutcome, type RefundReport } from '../../domain/refund/lifecycle.js';
import { paymentReports } from '../../workflows/agreement/contract.js';
import { progressReports, type ProgressReport } from '../../workflows/onboarding/contract.js';
import {
  refundReports,
  type PaymentHolder,
  type PaymentInput,
  type PaymentView,
} from '../../workflows/payment/contract.js';
import type { RefundInput, RefundView } from '../../workflows/refund/contract.js';
import type { Message } from '../../workflows/contracts/every-workflow.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import type { EventResource } from '../../domain/resources.js';
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

interface PaymentReported {
  agreementUid: string;
  connectionId: string;
  report: PaymentReport;
}

interface RefundReported {
  paymentUid: string;
  connectionId: string;
  report: RefundReport;
}

interface ProgressReported {
  /** Ids of the workflows that wait for the part. */
  to: string[];
  report: ProgressReport;
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

/**
 * Delivers the outcome of a payment to its agreement, and of a refund to its payment. The recipient may have ended, or may have no workflow
 * yet.
 */
export function reportActivities({ temporal, taskQueue }: Pick<Dependencies, 'temporal' | 'taskQueue'>) {
  const to = { client: temporal, taskQueue };
  const send = async (resource: EventResource, uid: string, connectionId: string, message: Delivered) => {
    if (!(await deliver(to, recipientOf(resource, uid, connectionId), message)))
      throw new Error(`${resource}/${uid} did not accept the report`);
  };
  return {
    reportPayment: ({ agreementUid, connectionId, report }: PaymentReported): Promise<void> =>
      send('agreement', agreementUid, connectionId, messageOf('a payment', paymentReports, report)),
    reportRefund: ({ paymentUid, connectionId, report }: RefundReported): Promise<void> =>
      send('payment', paymentUid, connectionId, messageOf('a refund', refundReports, report)),
    /** Sends a report to each workflow that waits for the part. @returns the ids of those that have ended. */
    reportProgress: async ({ to: waiting, report }: ProgressReported): Promise<string[]> => {
      const sent = waiting.map((id) =>
        isFound(temporal.workflow.getHandle(id).signal(progressReports, report)),
      );
      const found = await Promise.all(sent);
      return waiting.filter((_, index) => found[index] !== true);
    },
  };
}

/** Null if the order is unknown. */
const holderIn = ({ order, requestedAt }: PaymentView): PaymentHolder | null =>
  order === undefined ? null : { of: order.agreement_uid, amount: order.amount, requestedAt };

/** Null if the order is unknown. */
function admittedIn({ order, requestedAt, state }: RefundView): Admitted | null {
  if (order === undefined || state === 'unknown') return null;
  const { original_payment_uid: of, refund_payment: { amount = 0 } = {} } = order;
  return { of, amount, requestedAt, outcome: outcomeOfRefund(state), order };
}
