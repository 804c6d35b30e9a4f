// What a sweep compares, and how: the provider's lists of it, the runs here that follow it, the signal that has one look itself up.
import { AGREEMENTS, PAYMENTS } from '../../domain/facts/sweep.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { agreementOf, paymentOf } from '../../delivery/recipients.js';
import { deliver, messageOf } from '../../delivery/deliver.js';
import {
  AGREEMENT_WORKFLOW,
  agreementDiffers,
  agreementWorkflowId,
} from '../../workflows/agreement/contract.js';
import { AGREEMENT_STATE, PAYMENT_STATE } from '../../workflows/entity/search-attributes.js';
import { PAYMENT_WORKFLOW, paymentDiffers, paymentWorkflowId } from '../../workflows/payment/contract.js';
import type { Destination } from '../../delivery/reopen.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Compared } from '../../domain/facts/sweep.js';
import type { ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { ListPage } from '../../payments-api/http/paging.js';

/** How a list is narrowed (docs/provider.md#lists). */
export interface Narrowed {
  state?: readonly string[];
  minCreatedDate?: string;
}

export interface Swept {
  compared: Compared;
  workflow: string;
  workflowIdOf: (uid: string) => string;
  stateAttribute: typeof AGREEMENT_STATE;
  /** One that began less than so long before the sweep is left to its own workflow, which asks for it anyway. */
  settlesInMs: number;
  /** What is over is met where it is new: of old accounts it is all but everything. @param isWhole no list can be narrowed by state. */
  lists(startedAt: Instant, isWhole: boolean): readonly Narrowed[];
  readPage(
    payments: PaymentsApi,
    from: (Narrowed & { perPage: number }) | string,
    call: Call,
  ): Promise<ListPage<ResourceSnapshot>>;
  read(payments: PaymentsApi, uid: string, call: Call): Promise<ResourceSnapshot>;
  /** Has it looked up, as delivery/deliver.ts does: false where that has to be tried again. */
  signal(to: Destination, uid: string, connectionId: string): Promise<boolean>;
}

const BY = 'the sweep';

export const SWEPT_AGREEMENTS: Swept = {
  compared: AGREEMENTS,
  workflow: AGREEMENT_WORKFLOW,
  workflowIdOf: agreementWorkflowId,
  stateAttribute: AGREEMENT_STATE,
  settlesInMs: 0,
  lists: (_startedAt, isWhole) => [isWhole ? {} : { state: AGREEMENTS.live }],
  readPage: (payments, from, call) => payments.listAgreementPage(from, call),
  read: (payments, uid, call) => payments.getAgreement(uid, call),
  signal: (to, uid, connectionId) =>
    deliver(to, agreementOf(uid, connectionId), messageOf(BY, agreementDiffers)),
};

/** Nearly all have their end within forty hours (docs/provider.md#payments-states); those open for longer are asked for one by one. */
const ENDS_WITHIN_MS = 3 * 24 * 3_600_000;

export const SWEPT_PAYMENTS: Swept = {
  compared: PAYMENTS,
  workflow: PAYMENT_WORKFLOW,
  workflowIdOf: paymentWorkflowId,
  stateAttribute: PAYMENT_STATE,
  settlesInMs: 15 * 60_000,
  lists: (startedAt, isWhole) => {
    const since = new Date(Date.parse(startedAt) - ENDS_WITHIN_MS).toISOString();
    const minCreatedDate = sydneyDayOf(since);
    return isWhole
      ? [{ minCreatedDate }]
      : [{ state: PAYMENTS.live }, { state: PAYMENTS.over, minCreatedDate }];
  },
  readPage: (payments, from, call) => payments.listPaymentPage(from, call),
  read: (payments, uid, call) => payments.getPayment(uid, call),
  signal: (to, uid, connectionId) => deliver(to, paymentOf(uid, connectionId), messageOf(BY, paymentDiffers)),
};
