// Refund operations (docs/provider.md#refunds; a public beta of the provider).
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { Refund } from '../answers/resources.schema.js';
import { refundFrom } from '../answers/snapshot.js';
import { RefundFilter } from '../requests/filter.schema.js';
import { bodyOf } from '../requests/intended.js';
import { dataOf, itemOf, lists, pageOf, reads } from './kinds.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';
import type { NewRefund } from '../requests/intended.js';

const ROOT = '/payto/refunds';
const readRefund = itemOf(Refund);
const readSnapshot = (item: unknown) => {
  const refund = readRefund(item);
  return refund && refundFrom(refund, { state: MISSING_STATE });
};

export const refundOperations = (asking: Asking) => ({
  /** POST /payto/refunds. Amounts in cents. A duplicate uid is `rejected` with ZPREF00: look it up. */
  createRefund: async (request: NewRefund, call: Call): Promise<Refund> => {
    const name = 'createRefund';
    const body = bodyOf(name, request, asking);
    return asking.ask({ name, method: 'POST', path: ROOT, body, read: dataOf(name, Refund) }, call);
  },
  /** GET /payto/refunds/{uid}. */
  getRefund: reads(asking, 'getRefund', ROOT, Refund),
  /** GET /payto/refunds, fetched page by page on demand. */
  listRefunds: lists(asking, 'listRefunds', ROOT, RefundFilter, readRefund),
  /**
   * GET /payto/refunds, one page, for callers that must be able to continue later (docs/provider.md#lists).
   * @param from the filter, or `next` of an earlier page.
   */
  listRefundPage: pageOf(asking, 'listRefundPage', ROOT, RefundFilter, readSnapshot),
});
