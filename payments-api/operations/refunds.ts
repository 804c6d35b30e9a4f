// Refunds of payments: created, read, listed (facts 9; the provider calls them a public beta).
// In:  payments-api/client.ts.
// Out: payments-api/requests/body.ts builds bodies, query.ts filters, resources.schema.ts reads answers.
import { Refund } from '../answers/resources.schema.js';
import { RefundFilter } from '../requests/filter.schema.js';
import { RefundRequest } from '../requests/payment.schema.js';
import { dataOf, itemOf } from './kinds.js';
import { items } from '../http/paging.js';
import { queryOf } from '../query.js';
import { requestBody } from '../requests/body.js';
import { uidSegment } from '../uid.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface RefundOperations {
  /** POST /payto/refunds. Amounts in cents. A taken uid is `rejected` with ZPREF00: look it up. */
  createRefund(request: RefundRequest, call: Call): Promise<Refund>;
  /** GET /payto/refunds/{uid}. */
  getRefund(uid: string, call: Call): Promise<Refund>;
  /** GET /payto/refunds, page after page as they are consumed. */
  listRefunds(filter: RefundFilter, call: Call): AsyncIterable<Refund>;
}

export function refundOperations({ ask, list, version }: Asking): RefundOperations {
  return {
    createRefund: async (request, call) => {
      const name = 'createRefund';
      const body = requestBody(name, RefundRequest, request, version);
      return ask({ name, method: 'POST', path: '/payto/refunds', body, read: dataOf(name, Refund) }, call);
    },
    getRefund: async (uid, call) => {
      const name = 'getRefund';
      const path = `/payto/refunds/${uidSegment(name, uid)}`;
      return ask({ name, method: 'GET', path, read: dataOf(name, Refund) }, call);
    },
    async *listRefunds(filter, call) {
      const name = 'listRefunds';
      const query = queryOf(name, RefundFilter, filter);
      const readItem = itemOf(Refund);
      yield* items(list({ name, method: 'GET', path: '/payto/refunds', query, readItem }, call));
    },
  };
}
