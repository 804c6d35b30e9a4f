// How a sweep compares each resource: the lists of the provider that it reads, and the read of one resource.
import { AGREEMENTS } from '../../domain/agreement/lifecycle.js';
import { PAYMENTS } from '../../domain/payment/lifecycle.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { EventResource } from '../../domain/resources.js';
import type { ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { ListPage } from '../../payments-api/http/paging.js';

/** The filters of a list (docs/provider.md#lists). */
export interface Narrowed {
  state?: readonly string[];
  minCreatedDate?: string;
}

interface Swept {
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
}

/** Nearly all payments and refunds end within forty hours (docs/provider.md#payments-states). Those that stay open longer are read one by one. */
const ENDS_WITHIN_MS = 3 * 24 * 3_600_000;
const firstDay = (startedAt: Instant): string =>
  sydneyDayOf(new Date(Date.parse(startedAt) - ENDS_WITHIN_MS).toISOString());
/** For how long after a request a payment or refund polls on its own. */
const POLLS_MS = 15 * 60_000;

export const SWEPT: Readonly<Record<EventResource, Swept>> = {
  agreement: {
    settlesInMs: 0,
    lists: (_startedAt, isWhole) => [isWhole ? {} : { state: AGREEMENTS.live }],
    readPage: (payments, from, call) => payments.listAgreementPage(from, call),
    read: (payments, uid, call) => payments.getAgreement(uid, call),
  },
  payment: {
    settlesInMs: POLLS_MS,
    lists: (startedAt, isWhole) => {
      const minCreatedDate = firstDay(startedAt);
      return isWhole
        ? [{ minCreatedDate }]
        : [{ state: PAYMENTS.live }, { state: PAYMENTS.over, minCreatedDate }];
    },
    readPage: (payments, from, call) => payments.listPaymentPage(from, call),
    read: (payments, uid, call) => payments.getPayment(uid, call),
  },
  refund: {
    settlesInMs: POLLS_MS,
    // The provider cannot filter refunds by state.
    lists: (startedAt) => [{ minCreatedDate: firstDay(startedAt) }],
    readPage: (payments, from, call) => payments.listRefundPage(from, call),
    read: (payments, uid, call) => payments.getRefund(uid, call),
  },
};
