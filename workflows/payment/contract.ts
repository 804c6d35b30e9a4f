// The messages and types of a payment workflow.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { eventMessagesOf, reportTo } from '../contracts/every-workflow.js';
import { REFUND_REPORTS } from '../contracts/signals.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import type { RefundReport, RefundRequest } from '../../domain/refund/lifecycle.js';
import type { Judgement } from '../../domain/terms/judgement.js';
import type { RetryRequest } from '../../domain/payment/retry.js';
import type { Withdrawal } from '../../domain/payment/withdrawal.js';
import type { Carried, ResourceEnd } from '../contracts/upgrade.js';
import type { PaymentState } from './state.js';
import type { viewOf } from './view.js';

export { lookUpNow, resolveAttention } from '../contracts/every-workflow.js';
export { PAYMENT_WORKFLOW, paymentWorkflowId } from '../contracts/signals.js';

export interface PaymentInput {
  uid: string;
  /** The connection that it belongs to; absent for an adopted payment. */
  connectionId?: string | undefined;
  /** The payment to submit; absent when adopting. */
  order?: PaymentOrder | undefined;
  handling?: PaymentHandling | undefined;
  /** The agreement's judgement at the admission. */
  judged?: Judgement | undefined;
  /** When its agreement admitted it. Absent when adopting, and if it is the time of `judged`. */
  requestedAt?: Instant | undefined;
  /** The principal that requested the payment or its plan. */
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
  /** The state of the previous run, set by continue-as-new, and by an event after the end. */
  carried?: Carried<PaymentState> | undefined;
  /** The previous run had ended. */
  isReopened?: boolean | undefined;
  /** An event or a command has started the run without a state, so it reads its record first. */
  readsRecord?: boolean | undefined;
  /** The latest run has left no state. */
  isLost?: boolean | undefined;
  /** The records were away when it was requested, so another one may have had its uid before (workflows/resource/unchecked.ts). */
  isUnchecked?: boolean | undefined;
}

export type PaymentView = ReturnType<typeof viewOf>;

/** The answer to a refund request, and to each repeat under the same update id. */
export interface RefundAdmitted {
  connectionId: string | undefined;
  /** When it was admitted; absent if that is no longer stored. */
  requestedAt?: Instant | undefined;
  /** The same refund had already been admitted. */
  isRepeat?: true | undefined;
}

/** The agreement that holds a payment's uid. */
export interface PaymentHolder {
  of: string;
  /** Cents. */
  amount: number;
  requestedAt: Instant;
}

export type PaymentEnd = ResourceEnd<PaymentState>;

/** Withdraws the payment. Refused with a code of `WITHDRAWAL_REFUSAL_CODES` once it may be at the provider. */
export const withdrawPayment = defineUpdate<void, [Withdrawal]>('withdrawPayment');
/** Requests a refund. Refused with a `RefundRefusalCode`. */
export const requestRefund = defineUpdate<RefundAdmitted, [RefundRequest]>('requestRefund');
export const refundReports = defineSignal<[RefundReport]>(REFUND_REPORTS);
/** Retries a failed payment. Refused with a code of `RETRY_REFUSAL_CODES`, or `retry_key_conflict`. */
export const retryPayment = defineUpdate<void, [RetryRequest]>('retryPayment');
/** Requests the payment of a run that only events have started. The answer shows which agreement has the uid now. */
export const claimPayment = defineUpdate<PaymentView, [PaymentInput]>('claimPayment');
export const getPayment = defineQuery<PaymentView>('getPayment');

const shared = eventMessagesOf('payment');
export const { fact: paymentFact } = shared;

export const messages = {
  ...shared,
  withdrawPayment,
  requestRefund,
  refundReports,
  retryPayment,
  claim: claimPayment,
  reportTo,
  view: getPayment,
};
