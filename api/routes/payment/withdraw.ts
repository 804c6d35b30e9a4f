import { WithdrawPayment } from '../../../domain/payment/request.schema.js';
import { answerNow } from '../resource.js';
import { PAYMENT } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { UidParams } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/payments/{uid}/withdrawal',
  operationId: 'withdrawPayment',
  tags: ['payments'],
  summary: 'Withdraw a payment that was not sent to the provider (idempotent)',
  description:
    'Stops a payment before it is sent, for example because the customer paid in another way. It also cancels a pending retry. ' +
    'An unsent payment ends as `withdrawn`, with the event `payment.withdrawn`. If the provider may have it, the request is refused with ' +
    '`payment_submitted`: wait for the outcome, and refund the payment if it settles. A repeat changes nothing.',
  task: 'payments.md#withdraw-a-payment',
  access: 'write',
  connection: 'payment',
  request: { params: UidParams, body: bodyOf(WithdrawPayment) },
  answers: { 200: json('Withdrawn. The worker does not send the payment.', PAYMENT.one) },
  problems: [404, 409, 410, 429, 503],
});

export const withdrawPayment = endpoint(stated, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  const { reason } = c.req.valid('json');
  await dependencies.temporal.payments.withdraw(uid, { reason, by: c.get('principal') });
  return c.json(await answerNow(PAYMENT, dependencies, c, uid), 200);
});
