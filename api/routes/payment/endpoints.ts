import type { Endpoint } from '../../http/contract.js';
import { planEndpoints } from '../agreement/plan.js';
import { getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';
import { PAYMENT } from './answer.schema.js';
import { listPayments } from './list-of-agreement.js';
import { PaymentsQuery } from './query.schema.js';
import { requestPayment } from './request.js';
import { retryPayment } from './retry.js';
import { summarisePayments } from './summary.js';
import { withdrawPayment } from './withdraw.js';

export const paymentEndpoints: readonly Endpoint[] = [
  requestPayment,
  listPayments,
  listOf(PAYMENT, {
    operationId: 'listAllPayments',
    summary: 'List payments by state, attention flag or time of request',
    query: PaymentsQuery,
  }),
  summarisePayments,
  getOf(PAYMENT),
  withdrawPayment,
  retryPayment,
  ...planEndpoints,
  lookUpOf(PAYMENT),
  resolveAttentionOf(PAYMENT, { needsApproval: true }),
];
