import { READ, contract, endpoint, json } from '../../http/contract.js';
import { pageOf } from '../../http/paging.js';
import { PagingQuery, UidParams } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { nextPage } from '../links.js';
import { RefundsAnswer, refundSummary } from './answer.schema.js';

const stated = contract({
  ...READ,
  path: '/v1/payments/{uid}/refunds',
  operationId: 'listRefunds',
  tags: ['payments'],
  summary: 'List the refunds of a payment',
  description:
    'Returns the refunds as the payment counts them. Use it to see how much may still be refunded: `under_way`, `processed` and `unresolved` refunds count. ' +
    'It shows a new refund at once. `GET /v1/refunds/{uid}` has the details of one.',
  task: 'payments.md#read-refunds',
  connection: 'payment',
  request: { params: UidParams, query: PagingQuery },
  answers: { 200: json('A page of refunds, which starts with the oldest one.', RefundsAnswer) },
});

export const listRefunds = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid: paymentUid } = c.req.valid('param');
  const { per_page, cursor } = c.req.valid('query');
  const { refunds = [] } = found(await temporal.payments.view(paymentUid), 'a payment');
  const position = { per_page, cursor };
  const { page, next } = pageOf(refunds, ({ requestedAt, uid }) => [requestedAt, uid], position);
  const data = page.map((entry) => refundSummary(temporalUi, paymentUid, entry));
  return c.json({ data, links: nextPage(`/v1/payments/${paymentUid}/refunds`, { per_page }, next) }, 200);
});
