// Refund operations (docs/provider.md#refunds; a public beta of the provider).
import { Refund } from '../answers/resources.schema.js';
import { RefundFilter } from '../requests/filter.schema.js';
import { bodyOf } from '../requests/intended.js';
import { dataOf, itemOf, lists, reads } from './kinds.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';
import type { NewRefund } from '../requests/intended.js';

export interface RefundOperations {
  /** POST /payto/refunds. Amounts in cents. A duplicate uid is `rejected` with ZPREF00: look it up. */
  createRefund(request: NewRefund, call: Call): Promise<Refund>;
  /** GET /payto/refunds/{uid}. */
  getRefund(uid: string, call: Call): Promise<Refund>;
  /** GET /payto/refunds, fetched page by page on demand. */
  listRefunds(filter: RefundFilter, call: Call): AsyncIterable<Refund>;
}

export const refundOperations = (asking: Asking): RefundOperations => ({
  createRefund: async (request, call) => {
    const name = 'createRefund';
    const body = bodyOf(name, request, asking);
    return asking.ask(
      { name, method: 'POST', path: '/payto/refunds', body, read: dataOf(name, Refund) },
      call,
    );
  },
  getRefund: reads(asking, 'getRefund', '/payto/refunds', Refund),
  listRefunds: lists(asking, 'listRefunds', '/payto/refunds', RefundFilter, itemOf(Refund)),
});
