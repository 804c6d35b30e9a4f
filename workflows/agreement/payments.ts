// Admission of a payment under an agreement: judged, noted in the ledger and handed to its own workflow in one task.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { refusalOf } from '../../domain/admission.js';
import { isSame } from '../../domain/intent.js';
import { withPayment, withoutPayment } from './ledger.js';
import { standingOf } from './state.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId } from '../payment/contract.js';
import {
  AGREEMENT_UID, AWAITING, AWAITING_SINCE, CONNECTION_ID, PAYMENT_STATE,
} from '../entity/contract.js'; // prettier-ignore
import { refused } from '../entity/refusal.js';
import type { PaymentAdmitted, PaymentRequest } from './contract.js';
import type { AgreementRecord } from './state.js';
import type { PaymentInput } from '../payment/contract.js';
import type { Held } from '../entity/loop.js';

/**
 * Refuses, writing nothing, what the agreement does not allow. What was admitted before is always let through.
 * @throws ApplicationFailure whose type is the refusal's code, with `{ pointer? }` as its first detail.
 */
export function assertAdmissible(record: AgreementRecord, { uid, order }: PaymentRequest): void {
  const known = record.ledger.find((entry) => entry.uid === uid);
  if (known === undefined) {
    const refusal = refusalOf(standingOf(record), order);
    if (refusal !== undefined) throw refused(refusal.code, refusal.detail, { pointer: refusal.pointer });
  } else if (known.amount !== order.amount || (known.order !== undefined && !isSame(known.order, order))) {
    throw refused('payment_uid_conflict', `Payment ${uid} was asked for before with other particulars.`, {
      pointer: '/uid',
    });
  }
}

/** Notes the payment and starts its workflow. A repeat of one that was admitted starts nothing. */
export async function startPayment(
  { read, change }: Held<AgreementRecord>,
  { uid, order }: PaymentRequest,
): Promise<PaymentAdmitted> {
  const { connectionId, ledger } = read();
  if (ledger.some((entry) => entry.uid === uid)) return { uid, fresh: false };
  const requestedAt = new Date().toISOString();
  change((known) => withPayment(known, { uid, amount: order.amount, requestedAt, order }));
  try {
    const input: PaymentInput = { uid, connectionId, order };
    await startChild(PAYMENT_WORKFLOW, { ...childOptions(input, order.agreement_uid), args: [input] });
  } catch (error) {
    change((known) => withoutPayment(known, uid));
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw refused('payment_uid_conflict', `Payment ${uid} exists already, under another agreement.`, {
      pointer: '/uid',
    });
  }
  return { uid, fresh: true };
}

const childOptions = ({ uid, connectionId }: PaymentInput, agreementUid: string) => ({
  workflowId: paymentWorkflowId(uid),
  // A payment outlives its agreement's run: what was sent must be seen through.
  parentClosePolicy: ParentClosePolicy.ABANDON,
  workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
  staticSummary: `payment under agreement ${agreementUid}`,
  typedSearchAttributes: [
    { key: PAYMENT_STATE, value: 'requested' },
    { key: AGREEMENT_UID, value: agreementUid },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date() },
    ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
  ],
});
