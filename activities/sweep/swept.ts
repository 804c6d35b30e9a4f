// How a sweep compares each resource: the provider's lists, our rows, and the signal that causes a look-up.
import { AGREEMENTS } from '../../domain/agreement/lifecycle.js';
import { PAYMENTS } from '../../domain/payment/lifecycle.js';
import { REFUNDS } from '../../domain/refund/lifecycle.js';
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { agreementOf, paymentOf, refundOf } from '../../delivery/recipients.js';
import { deliver, messageOf } from '../../delivery/deliver.js';
import {
  AGREEMENT_WORKFLOW,
  agreementDiffers,
  agreementWorkflowId,
} from '../../workflows/agreement/contract.js';
import { PAYMENT_WORKFLOW, paymentDiffers, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { REFUND_WORKFLOW, refundDiffers, refundWorkflowId } from '../../workflows/refund/contract.js';
import { refundIn } from '../resource/snapshot.js';
import type { Destination } from '../../delivery/reopen.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Compared } from '../../domain/sweep/comparison.js';
import type { ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { ListPage } from '../../payments-api/http/paging.js';

/** The filters of a list (docs/provider.md#lists). */
export interface Narrowed {
  state?: readonly string[];
  minCreatedDate?: string;
}

export interface Swept {
  resource: 'agreement' | 'payment' | 'refund';
  compared: Compared;
  workflow: string;
  workflowIdOf: (uid: string) => string;
  /** A resource requested less than this before the sweep, in milliseconds, is not checked for absence: its workflow is still polling the provider. */
  settlesInMs: number;
  /** Ended resources are listed only if they are recent, because old accounts have very many. @param isWhole the provider cannot filter by state. */
  lists(startedAt: Instant, isWhole: boolean): readonly Narrowed[];
  readPage(
    payments: PaymentsApi,
    from: (Narrowed & { perPage: number }) | string,
    call: Call,
  ): Promise<ListPage<ResourceSnapshot>>;
  read(payments: PaymentsApi, uid: string, call: Call): Promise<ResourceSnapshot>;
  /** Causes a look-up, like delivery/deliver.ts. @returns false if it must be retried. */
  signal(to: Destination, uid: string, connectionId: string): Promise<boolean>;
}

const BY = 'the sweep';

export const SWEPT_AGREEMENTS: Swept = {
  resource: 'agreement',
  compared: AGREEMENTS,
  workflow: AGREEMENT_WORKFLOW,
  workflowIdOf: agreementWorkflowId,
  settlesInMs: 0,
  lists: (_startedAt, isWhole) => [isWhole ? {} : { state: AGREEMENTS.live }],
  readPage: (payments, from, call) => payments.listAgreementPage(from, call),
  read: (payments, uid, call) => payments.getAgreement(uid, call),
  signal: (to, uid, connectionId) =>
    deliver(to, agreementOf(uid, connectionId), messageOf(BY, agreementDiffers)),
};

/** Nearly all payments and refunds end within forty hours (docs/provider.md#payments-states). Those that stay open longer are read one by one. */
const ENDS_WITHIN_MS = 3 * 24 * 3_600_000;
const firstDay = (startedAt: Instant): string =>
  sydneyDayOf(new Date(Date.parse(startedAt) - ENDS_WITHIN_MS).toISOString());
/** For how long after a request a payment or refund polls on its own. */
const POLLS_MS = 15 * 60_000;

export const SWEPT_PAYMENTS: Swept = {
  resource: 'payment',
  compared: PAYMENTS,
  workflow: PAYMENT_WORKFLOW,
  workflowIdOf: paymentWorkflowId,
  settlesInMs: POLLS_MS,
  lists: (startedAt, isWhole) => {
    const minCreatedDate = firstDay(startedAt);
    return isWhole
      ? [{ minCreatedDate }]
      : [{ state: PAYMENTS.live }, { state: PAYMENTS.over, minCreatedDate }];
  },
  readPage: (payments, from, call) => payments.listPaymentPage(from, call),
  read: (payments, uid, call) => payments.getPayment(uid, call),
  signal: (to, uid, connectionId) => deliver(to, paymentOf(uid, connectionId), messageOf(BY, paymentDiffers)),
};

export const SWEPT_REFUNDS: Swept = {
  resource: 'refund',
  compared: REFUNDS,
  workflow: REFUND_WORKFLOW,
  workflowIdOf: refundWorkflowId,
  settlesInMs: POLLS_MS,
  // The provider cannot filter refunds by state.
  lists: (startedAt) => [{ minCreatedDate: firstDay(startedAt) }],
  readPage: (payments, from, call) => payments.listRefundPage(from, call),
  read: async (payments, uid, call) => refundIn(await payments.getRefund(uid, call), uid, MISSING_STATE),
  signal: (to, uid, connectionId) => deliver(to, refundOf(uid, connectionId), messageOf(BY, refundDiffers)),
};
