// Where an agreement, a payment or a refund stands, now or once what is awaited is over.
// In:  GET /v1/agreements/{uid}, GET /v1/payments/{uid}, GET /v1/refunds/{uid}.
// Out: api/gateway/create.ts asks the workflow of each.
import { AgreementAnswer, agreementAnswer } from './agreement/answer.schema.js';
import { PaymentAnswer, paymentAnswer } from './payment/answer.schema.js';
import { RefundAnswer, refundAnswer } from './refund/answer.schema.js';
import { contract, endpoint, json } from '../http/contract.js';
import { UidParams, WaitQuery } from '../http/parameters.schema.js';
import { isAnswered, isDecided, isRefundDecided, viewInTime, waitOf } from '../http/wait.js';

/** What they have in common. */
const READ = {
  method: 'get',
  access: 'read',
  request: { params: UidParams, query: WaitQuery },
  problems: [404, 503],
} as const;

const ofAgreement = contract({
  ...READ,
  path: '/v1/agreements/{uid}',
  operationId: 'getAgreement',
  tags: ['agreements'],
  summary: 'Where an agreement stands',
  connection: 'agreement',
  answers: { 200: json('The agreement.', AgreementAnswer) },
});

export const getAgreement = endpoint(ofAgreement, ({ temporal, temporalUi, clock }) => async (c) => {
  const { uid } = c.req.valid('param');
  const read = () => temporal.agreements.view(uid);
  const view = await viewInTime({ what: 'an agreement', read, isOver: isAnswered, ...waitOf(c), clock });
  return c.json({ data: agreementAnswer(temporalUi, view) }, 200);
});

const ofPayment = contract({
  ...READ,
  path: '/v1/payments/{uid}',
  operationId: 'getPayment',
  tags: ['payments'],
  summary: 'Where a payment stands',
  connection: 'payment',
  answers: { 200: json('The payment.', PaymentAnswer) },
});

export const getPayment = endpoint(ofPayment, ({ temporal, temporalUi, clock }) => async (c) => {
  const { uid } = c.req.valid('param');
  const read = () => temporal.payments.view(uid);
  const view = await viewInTime({ what: 'a payment', read, isOver: isDecided, ...waitOf(c), clock });
  return c.json({ data: paymentAnswer(temporalUi, view) }, 200);
});

const ofRefund = contract({
  ...READ,
  path: '/v1/refunds/{uid}',
  operationId: 'getRefund',
  tags: ['payments'],
  summary: 'Where a refund stands',
  connection: 'refund',
  answers: { 200: json('The refund.', RefundAnswer) },
});

export const getRefund = endpoint(ofRefund, ({ temporal, temporalUi, clock }) => async (c) => {
  const { uid } = c.req.valid('param');
  const read = () => temporal.refunds.view(uid);
  const view = await viewInTime({ what: 'a refund', read, isOver: isRefundDecided, ...waitOf(c), clock });
  return c.json({ data: refundAnswer(temporalUi, view) }, 200);
});
