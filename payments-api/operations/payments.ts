// Payment operations (docs/provider.md#operations, #payments-creation).
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { PaymentFilter } from '../requests/filter.schema.js';
import { accepted, lists, resource } from './kinds.js';
import { paymentFrom } from '../answers/snapshot.js';
import { bodyOf } from '../requests/intended.js';
import { queryOf, uidSegment } from '../requests/checked.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';
import type { ListPage } from '../http/paging.js';
import type { NewPayment, NewRetry } from '../requests/intended.js';
import type { PaymentSnapshot } from '../../domain/payment/lifecycle.js';

export interface PaymentOperations {
  /** POST /payto/payments. Amounts in cents. A duplicate uid is `rejected` with ZPPAY00 (docs/provider.md#idempotency). */
  createPayment(request: NewPayment, call: Call): Promise<PaymentSnapshot>;
  /** GET /payto/payments/{uid} (docs/provider.md#operations). */
  getPayment(uid: string, call: Call): Promise<PaymentSnapshot>;
  /** GET /payto/payments, fetched page by page on demand, in no documented order (docs/provider.md#lists). */
  listPayments(filter: PaymentFilter, call: Call): AsyncIterable<PaymentSnapshot>;
  /**
   * GET /payto/payments, one page, for callers that must be able to continue later (docs/provider.md#lists).
   * @param from the filter, or `next` of an earlier page.
   */
  listPaymentPage(from: PaymentFilter | string, call: Call): Promise<ListPage<PaymentSnapshot>>;
  /**
   * POST /payto/payments/{uid}/retry: retries the payment, optionally to another creditor (docs/provider.md#payments-retry).
   * Not idempotent: after an unknown outcome read the payment, and never repeat the call.
   */
  retryPayment(uid: string, request: NewRetry, call: Call): Promise<void>;
}

/** The usual state of a 201 (docs/provider.md#payments-states), assumed if the answer has none. */
const ACCEPTED = 'created';
const ROOT = '/payto/payments';

export function paymentOperations(asking: Asking): PaymentOperations {
  const { ask, page } = asking;
  const readItem = (item: unknown) => paymentFrom(item, { state: MISSING_STATE });
  return {
    createPayment: async (request, call) => {
      const name = 'createPayment';
      const body = bodyOf(name, request, asking);
      const read = resource(name, paymentFrom, { uid: request.uid, state: ACCEPTED });
      return ask({ name, method: 'POST', path: ROOT, body, read }, call);
    },
    getPayment: async (uid, call) => {
      const name = 'getPayment';
      const read = resource(name, paymentFrom, { uid, state: MISSING_STATE });
      return ask({ name, method: 'GET', path: `${ROOT}/${uidSegment(name, uid)}`, read }, call);
    },
    listPayments: lists(asking, 'listPayments', ROOT, PaymentFilter, readItem),
    listPaymentPage: async (from, call) => {
      const name = 'listPaymentPage';
      const query = typeof from === 'string' ? from : queryOf(name, PaymentFilter, from);
      return page({ name, method: 'GET', path: ROOT, query, readItem }, call);
    },
    retryPayment: async (uid, request, call) => {
      const name = 'retryPayment';
      const path = `${ROOT}/${uidSegment(name, uid)}/retry`;
      const body = bodyOf(name, request, asking);
      return ask({ name, method: 'POST', path, body, ...accepted }, call);
    },
  };
}
