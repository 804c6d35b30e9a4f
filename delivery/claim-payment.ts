// Claims a payment's uid for an agreement, if the run with this uid was started by an event and nothing else.
import { WithStartWorkflowOperation } from '@temporalio/client';
import { reopen } from './reopen.js';
import { paymentOf } from './recipients.js';
import { PAYMENT_WORKFLOW, claimPayment, getPayment } from '../workflows/payment/contract.js';
import type { PaymentEnd, PaymentHolder, PaymentInput, PaymentView } from '../workflows/payment/contract.js';
import type { Destination, RunStart } from './reopen.js';

/** Idempotent. @returns which agreement holds the uid. Null if that is unknown. */
export async function claimPaymentUid(to: Destination, input: PaymentInput): Promise<PaymentHolder | null> {
  const { uid, connectionId } = input;
  const { workflow } = to.client;
  let vacant: PaymentEnd | undefined;
  const recipient = {
    ...paymentOf(uid, connectionId),
    // The events of the ended run stay stored.
    inputWith: (_: unknown, isReopened: boolean): PaymentInput => ({
      ...{ uid, connectionId, isReopened },
      carried: vacant?.carried,
    }),
  };
  const start = (run: RunStart): Promise<PaymentHolder | null> =>
    workflow.executeUpdateWithStart(claimPayment, {
      args: [input],
      startWorkflowOperation: new WithStartWorkflowOperation(PAYMENT_WORKFLOW, {
        ...run,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    });
  const ended = await reopen<PaymentEnd, PaymentHolder | null | undefined>(
    ...([to, recipient, 'a payment request', start] as const),
    (end) => {
      if (end?.state !== 'unknown' || end.order !== undefined)
        return { answer: end === undefined ? undefined : holderIn(end) };
      vacant = end;
      return undefined;
    },
  );
  const run = workflow.getHandle(recipient.workflowId);
  if (ended === undefined) return run.executeUpdate(claimPayment, { args: [input] });
  // A terminated run has no result.
  return ended.answer === undefined ? holderIn(await run.query(getPayment)) : ended.answer;
}

const holderIn = ({ order, requestedAt }: PaymentView): PaymentHolder | null =>
  order === undefined ? null : { of: order.agreement_uid, amount: order.amount, requestedAt };
