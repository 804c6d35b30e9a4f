import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import type { Endpoint } from '../../http/contract.js';
import { amounts, listQuery, metadata, settled, sort } from '../../http/list-parameters.schema.js';
import { getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';
import { REFUND, REFUND_VIEW_STATES } from './answer.schema.js';
import { listRefunds } from './list-of-payment.js';
import { requestRefund } from './request.js';

export const refundEndpoints: readonly Endpoint[] = [
  requestRefund,
  listRefunds,
  listOf(REFUND, {
    operationId: 'listAllRefunds',
    summary: 'List refunds by state, attention flag or time of request',
    description:
      'Use this to find refunds of all payments, for example those that need an operator (`awaiting=operator`).',
    query: listQuery(REFUND_VIEW_STATES, {
      payment: UidSchema.optional(),
      ...amounts,
      ...settled,
      ...metadata,
      sort: sort(['created', 'amount']),
    }),
  }),
  getOf(REFUND),
  lookUpOf(REFUND),
  resolveAttentionOf(REFUND, { needsApproval: ({ attention }) => attention }),
];
