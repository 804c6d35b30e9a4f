// Claims a uid for a request, if events and nothing else have started the run with this uid.
import { WithStartWorkflowOperation } from '@temporalio/client';
import { ifFound } from './open.js';
import { recipientOf } from './recipients.js';
import { reopen, runStart, type Destination, type End, type Recipient, type RunStart } from './reopen.js';
import {
  claimAgreement,
  getAgreement,
  type AgreementInput,
  type RecordedAgreementView,
} from '../workflows/agreement/contract.js';
import {
  claimPayment,
  getPayment,
  type PaymentInput,
  type PaymentView,
} from '../workflows/payment/contract.js';
import { claimRefund, getRefund, type RefundInput, type RefundView } from '../workflows/refund/contract.js';
import { upgrade, type ResourceEnd } from '../workflows/contracts/every-workflow.js';
import { recordedView as agreementViewOf } from '../workflows/agreement/view.js';
import { viewOf as paymentViewOf } from '../workflows/payment/view.js';
import { viewOf as refundViewOf } from '../workflows/refund/view.js';
import type { QueryDefinition, UpdateDefinition } from '@temporalio/common';

/** Each claim is idempotent. @returns the view, which shows who has the uid now. */
export const claimAgreementUid = (to: Destination, input: AgreementInput): Promise<RecordedAgreementView> =>
  claimUid(to, recipientOf('agreement', input.uid, input.connectionId), {
    ...{ claim: claimAgreement, query: getAgreement, input, viewOf: agreementViewOf },
  });

export const claimPaymentUid = (to: Destination, input: PaymentInput): Promise<PaymentView> =>
  claimUid(to, recipientOf('payment', input.uid, input.connectionId), {
    ...{ claim: claimPayment, query: getPayment, input, viewOf: paymentViewOf },
  });

export const claimRefundUid = (to: Destination, input: RefundInput): Promise<RefundView> =>
  claimUid(to, recipientOf('refund', input.uid, input.connectionId), {
    ...{ claim: claimRefund, query: getRefund, input, viewOf: refundViewOf },
  });

interface Claim<View, Input, State> {
  claim: UpdateDefinition<View, [Input]>;
  query: QueryDefinition<View>;
  input: Input;
  viewOf: (state: State) => View;
}

async function claimUid<View, Input, State extends object>(
  to: Destination,
  of: Recipient,
  { claim, query, input, viewOf }: Claim<View, Input, State>,
): Promise<View> {
  const { workflow } = to.client;
  let vacant: End | undefined;
  // The events of the ended run stay stored.
  const recipient: Recipient = {
    ...of,
    inputWith: (_, by) => of.inputWith(vacant?.carried, by),
  };
  const start = (run: RunStart): Promise<View> =>
    workflow.executeUpdateWithStart(claim, {
      args: [input],
      startWorkflowOperation: new WithStartWorkflowOperation(of.workflow, {
        ...run,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    });
  const ended = await reopen<ResourceEnd<State>, View | undefined>(
    ...([to, recipient, 'a request', start] as const),
    (end) => {
      if (end?.state !== 'unknown') return { answer: end && viewOf(upgrade(end.carried)) };
      vacant = end;
      return undefined;
    },
  );
  const run = workflow.getHandle(of.workflowId);
  if (ended === undefined) {
    const open = await ifFound(run.executeUpdate(claim, { args: [input] }));
    // Temporal has forgotten the run. The next one reads the record first, so what exists stays what it is.
    return open ?? start(runStart(to, of, { by: 'a request', end: undefined, isReopened: false }));
  }
  // A terminated run has no result.
  return ended.answer ?? run.query(query);
}
