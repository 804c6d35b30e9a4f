// The recipients of signals: agreements, payments and refunds, by uid.
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../workflows/agreement/contract.js';
import type { AgreementEnd, AgreementInput } from '../workflows/agreement/contract.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId } from '../workflows/payment/contract.js';
import type { PaymentEnd, PaymentInput } from '../workflows/payment/contract.js';
import { REFUND_WORKFLOW, refundWorkflowId } from '../workflows/refund/contract.js';
import type { RefundEnd, RefundInput } from '../workflows/refund/contract.js';
import { AGREEMENT_UID } from '../workflows/contracts/search-attributes.js';
import type { Recipient } from './reopen.js';

/** @param connectionId the connection of a resource that we do not know yet. */
export const agreementOf = (
  uid: string,
  connectionId: string | undefined,
): Recipient<AgreementEnd['carried']['state']> => ({
  uid,
  connectionId,
  workflow: AGREEMENT_WORKFLOW,
  workflowId: agreementWorkflowId(uid),
  inputWith: (carried, isReopened): AgreementInput => ({ uid, connectionId, carried, isReopened }),
  attributes: [{ key: AGREEMENT_UID, value: uid }],
});

/** @param connectionId the connection of a resource that we do not know yet. */
export const paymentOf = (
  uid: string,
  connectionId: string | undefined,
): Recipient<PaymentEnd['carried']['state']> => ({
  uid,
  connectionId,
  workflow: PAYMENT_WORKFLOW,
  workflowId: paymentWorkflowId(uid),
  inputWith: (carried, isReopened): PaymentInput => ({ uid, connectionId, carried, isReopened }),
  attributes: [],
});

/** @param connectionId the connection of a resource that we do not know yet. */
export const refundOf = (
  uid: string,
  connectionId: string | undefined,
): Recipient<RefundEnd['carried']['state']> => ({
  uid,
  connectionId,
  workflow: REFUND_WORKFLOW,
  workflowId: refundWorkflowId(uid),
  inputWith: (carried, isReopened): RefundInput => ({ uid, connectionId, carried, isReopened }),
  attributes: [],
});
