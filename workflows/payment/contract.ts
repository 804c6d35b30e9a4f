// How the outside world addresses a payment workflow.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { connectionRestored, lookUpNow, reportTo, resolveAttention } from '../entity/contract.js';
import { REFUND_REPORTS } from '../entity/signals.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Party, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import type { PaymentFailure, PaymentLifecycleState } from '../../domain/payment/lifecycle.js';
import type { RefundEntry, RefundReport, RefundRequest } from '../../domain/refund/lifecycle.js';
import type { Attempt } from '../../domain/payment/attempts.js';
import type { Judgement, PaymentJudgement } from '../../domain/terms/judgement.js';
import type { RetryRequest } from '../../domain/payment/retry.js';
import type { Withdrawal } from '../../domain/payment/withdrawal.js';
import type { ResourceView } from '../entity/contract.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { PaymentState } from './state.js';

export { lookUpNow, resolveAttention } from '../entity/contract.js';
export { PAYMENT_WORKFLOW, paymentWorkflowId } from '../entity/signals.js';

export interface PaymentInput {
  uid: string;
  /** Whose account it belongs to; absent when adopting a payment that was not asked for here. */
  connectionId?: string | undefined;
  /** What to submit; absent when adopting. */
  order?: PaymentOrder | undefined;
  handling?: PaymentHandling | undefined;
  /** How its agreement stood when it admitted it. */
  judged?: Judgement | undefined;
  /** When its agreement admitted it; absent when adopting. */
  requestedAt?: Instant | undefined;
  /** The principal that asked for it, or for the plan it is of. */
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
  /** Everything that the run before knew: set by continue-as-new, and by an event that comes after the end. */
  carried?: Carried<PaymentState> | undefined;
  /** The run before it had ended. */
  isReopened?: boolean | undefined;
}

export interface PaymentView extends ResourceView<PaymentLifecycleState> {
  order?: PaymentOrder | undefined;
  failure?: PaymentFailure | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** Who pays, as the provider showed it last. */
  debtor?: Party | undefined;
  /** What was asked for beside the order. */
  handling?: PaymentHandling | undefined;
  /** It is not sent after that; absent where it is not known when it was asked for. */
  submitBefore?: Instant | undefined;
  /** How often it was sent to the provider: always under this one uid. */
  submissions: number;
  attempts: Attempt[];
  /** What allowed its submissions, oldest first; absent where it was found at the provider. */
  judgements?: PaymentJudgement[] | undefined;
  /** Oldest first; absent where there is none. */
  refunds?: RefundEntry[] | undefined;
}

/** What Temporal answers, also to each repeat under the same update id. */
export interface RefundAdmitted {
  uid: string;
  connectionId: string | undefined;
  /** When it was admitted; absent where that is not kept any more. */
  requestedAt?: Instant | undefined;
  /** This very refund had been admitted before. */
  isRepeat?: true | undefined;
}

/** How a run ends: what stands, and all that a later run needs to take it up again. */
export type PaymentEnd = PaymentView & { carried: Carried<PaymentState> };

/** A provider's event about this payment. */
export const paymentFact = defineSignal<[Fact]>('paymentFact');
/** The sweep saw that the provider shows something else. */
export const paymentDiffers = defineSignal('paymentDiffers');
/** It is not wanted any more. Refused with a code of `WITHDRAWAL_REFUSAL_CODES` once it may be at the provider. */
export const withdrawPayment = defineUpdate<void, [Withdrawal]>('withdrawPayment');
/** Asks for a refund. Refused with a `RefundRefusalCode`. */
export const requestRefund = defineUpdate<RefundAdmitted, [RefundRequest]>('requestRefund');
/** A refund of it reports what became of it. */
export const refundReports = defineSignal<[RefundReport]>(REFUND_REPORTS);
/** Has what failed tried again. Refused with a code of `RETRY_REFUSAL_CODES`, or `retry_key_conflict`. */
export const retryPayment = defineUpdate<void, [RetryRequest]>('retryPayment');
export const getPayment = defineQuery<PaymentView>('getPayment');

export const messages = {
  paymentFact,
  paymentDiffers,
  connectionRestored,
  withdrawPayment,
  requestRefund,
  refundReports,
  retryPayment,
  reportTo,
  lookUpNow,
  resolveAttention,
  getPayment,
};
