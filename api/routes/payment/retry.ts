import { RetryPayment } from '../../../domain/payment/request.schema.js';
import { PAYMENT } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { scopedKey } from '../../http/idempotency.js';
import { KeyHeaders, UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { assertSendable } from '../provider-check.js';
import { answerInTime } from '../resource.js';

const stated = contract({
  method: 'post',
  path: '/v1/payments/{uid}/retry',
  operationId: 'retryPayment',
  tags: ['payments'],
  summary: 'Retry a failed payment under the same uid, if its failure is retryable',
  description:
    'Sends a failed payment again while `failure.retryable` is true: at most ten times, and at most five submissions in 24 hours. ' +
    'The agreement checks its terms again, as for a new payment. The body may replace the creditor. ' +
    'Listen for `payment.retrying`, and then for `payment.settled` or `payment.failed`. A repeat with the same `Idempotency-Key` starts no further retry.',
  task: 'payments.md#retry-a-payment',
  access: 'write',
  connection: 'payment',
  request: { params: UidParams, query: WaitQuery, headers: KeyHeaders, body: bodyOf(RetryPayment) },
  answers: { 202: json('Accepted. `attempts` shows the retry and, later, its outcome.', PAYMENT.one) },
  problems: [404, 409, 410, 422, 429, 503],
});

export const retryPayment = endpoint(stated, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const { uid } = c.req.valid('param');
  const { creditor } = c.req.valid('json');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  await assertSendable(dependencies, { operation: 'retryPayment', request: { creditor } });
  await temporal.payments.retry(uid, { key, by: c.get('principal'), creditor });
  return c.json(await answerInTime(PAYMENT, dependencies, c, uid), 202);
});
