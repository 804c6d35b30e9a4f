import type { Endpoint } from '../../http/contract.js';
import { RefundsQuery } from '../../http/list-parameters.schema.js';
import { getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';
import { REFUND } from './answer.schema.js';
import { listRefunds } from './list-of-payment.js';
import { requestRefund } from './request.js';

export const refundEndpoints: readonly Endpoint[] = [
  requestRefund,
  listRefunds,
  listOf(REFUND, {
    operationId: 'listAllRefunds',
    summary: 'List refunds by state, attention flag or time of request',
    query: RefundsQuery,
  }),
  getOf(REFUND),
  lookUpOf(REFUND),
  resolveAttentionOf(REFUND, { needsApproval: true }),
];
