// Payment operations (docs/provider.md#operations, #payments-creation).
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { PaymentFilter } from '../requests/filter.schema.js';
import { accepted, lists, pageOf, readsSnapshot, resource, type Asking } from './kinds.js';
import { paymentFrom } from '../answers/snapshot.js';
import { bodyOf, type NewPayment, type NewRetry } from '../requests/intended.js';
import { uidSegment } from '../requests/checked.js';
import type { Call } from '../http/send.js';
import type { PaymentSnapshot } from '../../domain/payment/lifecycle.js';

/** The usual state of a 201 (docs/provider.md#payments-states), assumed if the answer has none. */
const ACCEPTED = 'created';
const ROOT = '/payto/payments';
const readItem = (item: unknown) => paymentFrom(item, { state: MISSING_STATE });

export const paymentOperations = (asking: Asking) => ({
  /** POST /payto/payments. Amounts in cents. A duplicate uid is `rejected` with ZPPAY00 (docs/provider.md#idempotency). */
  createPayment: async (request: NewPayment, call: Call): Promise<PaymentSnapshot> => {
    const name = 'createPayment';
    const body = bodyOf(name, request, asking);
    const read = resource(name, paymentFrom, { uid: request.uid, state: ACCEPTED });
    return asking.ask({ name, method: 'POST', path: ROOT, body, read }, call);
  },
  /** GET /payto/payments/{uid} (docs/provider.md#operations). */
  getPayment: readsSnapshot(asking, 'getPayment', ROOT, paymentFrom),
  /** GET /payto/payments, fetched page by page on demand, in no documented order (docs/provider.md#lists). */
  listPayments: lists(asking, 'listPayments', ROOT, PaymentFilter, readItem),
  /**
   * GET /payto/payments, one page, for callers that must be able to continue later (docs/provider.md#lists).
   * @param from the filter, or `next` of an earlier page.
   */
  listPaymentPage: pageOf(asking, 'listPaymentPage', ROOT, PaymentFilter, readItem),
  /**
   * POST /payto/payments/{uid}/retry: retries the payment, optionally to another creditor (docs/provider.md#payments-retry).
   * Not idempotent: after an unknown outcome read the payment, and never repeat the call.
   */
  retryPayment: async (uid: string, request: NewRetry, call: Call): Promise<void> => {
    const name = 'retryPayment';
    const path = `${ROOT}/${uidSegment(name, uid)}/retry`;
    const body = bodyOf(name, request, asking);
    return asking.ask({ name, method: 'POST', path, body, ...accepted }, call);
  },
});
