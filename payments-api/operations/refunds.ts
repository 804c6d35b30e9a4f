// Refund operations (docs/provider.md#refunds; a public beta of the provider).
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { Refund } from '../answers/resources.schema.js';
import { refundFrom } from '../answers/snapshot.js';
import { queryOf } from '../requests/checked.js';
import { RefundFilter } from '../requests/filter.schema.js';
import { bodyOf } from '../requests/intended.js';
import { dataOf, itemOf, lists, reads } from './kinds.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';
import type { ListPage } from '../http/paging.js';
import type { NewRefund } from '../requests/intended.js';
import type { RefundSnapshot } from '../../domain/refund/lifecycle.js';

export interface RefundOperations {
  /** POST /payto/refunds. Amounts in cents. A duplicate uid is `rejected` with ZPREF00: look it up. */
  createRefund(request: NewRefund, call: Call): Promise<Refund>;
  /** GET /payto/refunds/{uid}. */
  getRefund(uid: string, call: Call): Promise<Refund>;
  /** GET /payto/refunds, fetched page by page on demand. */
  listRefunds(filter: RefundFilter, call: Call): AsyncIterable<Refund>;
  /**
   * GET /payto/refunds, one page, for callers that must be able to continue later (docs/provider.md#lists).
   * @param from the filter, or `next` of an earlier page.
   */
  listRefundPage(from: RefundFilter | string, call: Call): Promise<ListPage<RefundSnapshot>>;
}

const ROOT = '/payto/refunds';
const readRefund = itemOf(Refund);

export const refundOperations = (asking: Asking): RefundOperations => ({
  createRefund: async (request, call) => {
    const name = 'createRefund';
    const body = bodyOf(name, request, asking);
    return asking.ask({ name, method: 'POST', path: ROOT, body, read: dataOf(name, Refund) }, call);
  },
  getRefund: reads(asking, 'getRefund', ROOT, Refund),
  listRefunds: lists(asking, 'listRefunds', ROOT, RefundFilter, readRefund),
  listRefundPage: async (from, call) => {
    const name = 'listRefundPage';
    const query = typeof from === 'string' ? from : queryOf(name, RefundFilter, from);
    const readItem = (item: unknown) => {
      const refund = readRefund(item);
      return refund && refundFrom(refund, { state: MISSING_STATE });
    };
    return asking.page({ name, method: 'GET', path: ROOT, query, readItem }, call);
  },
});
