import { PaymentsAnswer, entryAnswer, periodsAnswer, consecutiveFailuresAnswer } from './answer.schema.js';
import { READ, contract, endpoint, json } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { nextPage, pathTo } from '../links.js';
import { pageOf } from '../../http/paging.js';
import { PagingQuery, UidParams } from '../../http/parameters.schema.js';

const stated = contract({
  ...READ,
  path: '/v1/agreements/{uid}/payments',
  operationId: 'listPayments',
  tags: ['payments'],
  summary: 'List the payments of an agreement',
  description:
    'Returns the payments as the agreement counts them against its terms: each with its outcome, then totals for each period, and the failures in a row. ' +
    'Use it to see why the agreement refuses a payment. It shows a new payment at once. `GET /v1/payments/{uid}` has the details of one.',
  task: 'payments.md#list-payments',
  connection: 'agreement',
  request: { params: UidParams, query: PagingQuery },
  answers: { 200: json('A page of payments, which starts with the oldest one.', PaymentsAnswer) },
});

export const listPayments = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid: agreementUid } = c.req.valid('param');
  const { per_page, cursor } = c.req.valid('query');
  const agreement = found(await temporal.agreements.whole(agreementUid), 'an agreement');
  const { page, next } = pageOf(agreement.payments, (payment) => [payment.requestedAt, payment.uid], {
    per_page,
    cursor,
  });
  const data = page.map((entry) => entryAnswer(temporalUi, agreementUid, entry));
  const links = nextPage(`${pathTo('agreement', agreementUid)}/payments`, { per_page }, next);
  const answer = {
    data,
    older_count: agreement.paymentsOlder,
    periods: periodsAnswer(agreement),
    consecutive_failures: consecutiveFailuresAnswer(agreement),
    links,
  };
  return c.json(answer, 200);
});
