// Refund operations (docs/provider.md#refunds; a public beta of the provider).
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { RefundFilter } from '../requests/filter.schema.js';
import { lists, pageOf, readsSnapshot, resource, type Asking } from './kinds.js';
import { refundFrom } from '../answers/snapshot.js';
import { bodyOf, type NewRefund } from '../requests/intended.js';
import type { Call } from '../http/send.js';
import type { RefundSnapshot } from '../../domain/refund/lifecycle.js';

/** The usual state of a 201 (docs/provider.md#refunds), assumed if the answer has none. */
const ACCEPTED = 'created';
const ROOT = '/payto/refunds';
const readItem = (item: unknown) => refundFrom(item, { state: MISSING_STATE });

export const refundOperations = (asking: Asking) => ({
  /** POST /payto/refunds. Amounts in cents. A duplicate uid is `rejected` with ZPREF00: look it up. */
  createRefund: async (request: NewRefund, call: Call): Promise<RefundSnapshot> => {
    const name = 'createRefund';
    const body = bodyOf(name, request, asking);
    const read = resource(name, refundFrom, { uid: request.uid, state: ACCEPTED });
    return asking.ask({ name, method: 'POST', path: ROOT, body, read }, call);
  },
  /** GET /payto/refunds/{uid}. */
  getRefund: readsSnapshot(asking, 'getRefund', ROOT, refundFrom),
  /** GET /payto/refunds, fetched page by page on demand. */
  listRefunds: lists(asking, 'listRefunds', ROOT, RefundFilter, readItem),
  /**
   * GET /payto/refunds, one page, for callers that must be able to continue later (docs/provider.md#lists).
   * @param from the filter, or `next` of an earlier page.
   */
  listRefundPage: pageOf(asking, 'listRefundPage', ROOT, RefundFilter, readItem),
});
