// Refunds of payments: created, read, listed (docs/provider.md#refunds; the provider calls them a public beta).
import { Refund } from '../answers/resources.schema.js';
import { RefundFilter } from '../requests/filter.schema.js';
import { RefundRequest } from '../requests/payment.schema.js';
import { creates, itemOf, lists, reads } from './kinds.js';
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

export const refundOperations = (asking: Asking): RefundOperations => ({
  createRefund: creates(asking, 'createRefund', '/payto/refunds', RefundRequest, Refund),
  getRefund: reads(asking, 'getRefund', '/payto/refunds', Refund),
  listRefunds: lists(asking, 'listRefunds', '/payto/refunds', RefundFilter, itemOf(Refund)),
});
