import { paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { isDecided, viewInTime, waitOf } from '../../http/wait.js';
import { PaymentAnswer, paymentAnswer } from './answer.schema.js';

const stated = contract({
  method: 'get',
  access: 'read',
  request: { params: UidParams, query: WaitQuery },
  problems: [404, 503],
  path: '/v1/payments/{uid}',
  operationId: 'getPayment',
  tags: ['payments'],
  summary: 'Get a payment',
  connection: 'payment',
  answers: { 200: json('The payment.', PaymentAnswer) },
});

export const getPayment = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, temporalUi } = dependencies;
  const { uid } = c.req.valid('param');
  const read = () => temporal.payments.view(uid);
  const view = await viewInTime({
    what: 'a payment',
    read,
    isOver: isDecided,
    ...waitOf(dependencies, c, paymentWorkflowId(uid)),
  });
  return c.json({ data: paymentAnswer(temporalUi, view) }, 200);
});
