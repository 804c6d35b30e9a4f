import { z } from 'zod';
import type { Endpoint } from '../../http/contract.js';
import { amounts, listQuery, metadata, settled, sort } from '../../http/list-parameters.schema.js';
import { planEndpoints } from '../agreement/plan.js';
import { getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';
import { PAYMENT, PAYMENT_VIEW_STATES } from './answer.schema.js';
import { listPayments } from './list-of-agreement.js';
import { requestPayment } from './request.js';
import { retryPayment } from './retry.js';
import { ofPayments, summarisePayments } from './summary.js';
import { withdrawPayment } from './withdraw.js';

export const paymentEndpoints: readonly Endpoint[] = [
  requestPayment,
  listPayments,
  listOf(PAYMENT, {
    operationId: 'listAllPayments',
    summary: 'List payments by state, attention flag or time of request',
    description:
      'Use this to find payments of all agreements, for example those that settled on a day (`settled_from`, `settled_until`).',
    query: listQuery(PAYMENT_VIEW_STATES, {
      ...ofPayments,
      ...amounts,
      ...settled,
      ...metadata,
      reference: z
        .string()
        .min(1)
        .max(35)
        .optional()
        .meta({ description: 'Only payments with exactly this reference.' }),
      sort: sort(['created', 'amount', 'settled']),
    }),
  }),
  summarisePayments,
  getOf(PAYMENT),
  withdrawPayment,
  retryPayment,
  ...planEndpoints,
  lookUpOf(PAYMENT),
  resolveAttentionOf(PAYMENT, { needsApproval: ({ attention }) => attention }),
];
