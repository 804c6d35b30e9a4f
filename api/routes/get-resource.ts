// Where an agreement, a payment or a refund stands, now or once what is awaited is over.
// In:  GET /v1/agreements/{uid}, GET /v1/payments/{uid}, GET /v1/refunds/{uid}.
// Out: api/temporal/door.ts asks the workflow of each.
import { AgreementAnswer, agreementAnswer } from '../answers/agreement.schema.js';
import { PaymentAnswer, paymentAnswer } from '../answers/payment.schema.js';
import { RefundAnswer, refundAnswer } from '../answers/refund.schema.js';
import { contract, endpoint, json } from '../contract.js';
import { found } from '../errors.js';
import { UidParams, WaitQuery } from '../schemas/parameters.schema.js';
import { isAnswered, isDecided, isRefundDecided, watched } from '../wait.js';

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
  const read = async () => found(await temporal.agreements.view(uid), 'an agreement');
  const { wait: seconds } = c.req.valid('query');
  const watch = { read, isOver: isAnswered, seconds, signal: c.req.raw.signal, clock };
  return c.json({ data: agreementAnswer(temporalUi, await watched(await read(), watch)) }, 200);
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
  const read = async () => found(await temporal.payments.view(uid), 'a payment');
  const { wait: seconds } = c.req.valid('query');
  const watch = { read, isOver: isDecided, seconds, signal: c.req.raw.signal, clock };
  return c.json({ data: paymentAnswer(temporalUi, await watched(await read(), watch)) }, 200);
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
  const read = async () => found(await temporal.refunds.view(uid), 'a refund');
  const { wait: seconds } = c.req.valid('query');
  const watch = { read, isOver: isRefundDecided, seconds, signal: c.req.raw.signal, clock };
  return c.json({ data: refundAnswer(temporalUi, await watched(await read(), watch)) }, 200);
});
