import { refundWorkflowId } from '../../../workflows/refund/contract.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { isRefundDecided, viewInTime, waitOf } from '../../http/wait.js';
import { RefundAnswer, refundAnswer } from './answer.schema.js';

const stated = contract({
  method: 'get',
  access: 'read',
  request: { params: UidParams, query: WaitQuery },
  problems: [404, 503],
  path: '/v1/refunds/{uid}',
  operationId: 'getRefund',
  tags: ['payments'],
  summary: 'Get a refund',
  connection: 'refund',
  answers: { 200: json('The refund.', RefundAnswer) },
});

export const getRefund = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, temporalUi } = dependencies;
  const { uid } = c.req.valid('param');
  const read = () => temporal.refunds.view(uid);
  const view = await viewInTime({
    what: 'a refund',
    read,
    isOver: isRefundDecided,
    ...waitOf(dependencies, c, refundWorkflowId(uid)),
  });
  return c.json({ data: refundAnswer(temporalUi, view) }, 200);
});
