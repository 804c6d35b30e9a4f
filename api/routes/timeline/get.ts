// The timelines of all resources: one route for each.
import { personalValues } from '../../../domain/agreement/personal-values.js';
import { agreementWorkflowId } from '../../../workflows/agreement/contract.js';
import { batchWorkflowId } from '../../../workflows/batch/contract.js';
import { clientWorkflowId } from '../../../workflows/client/contract.js';
import { counterpartyWorkflowId } from '../../../workflows/counterparty/contract.js';
import { floatAccountWorkflowId } from '../../../workflows/float-account/contract.js';
import { onboardingWorkflowId } from '../../../workflows/onboarding/contract.js';
import { paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { refundWorkflowId } from '../../../workflows/refund/contract.js';
import { unmatchedCreditWorkflowId } from '../../../workflows/unmatched-credit/contract.js';
import { contract, endpoint, json } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { PagingQuery, UidParams } from '../../http/parameters.schema.js';
import { TimelineAnswer } from './answer.schema.js';
import { timelineAnswer } from './page.js';

interface Resource {
  resource:
    | 'agreement'
    | 'payment'
    | 'refund'
    | 'client'
    | 'counterparty'
    | 'onboarding'
    | 'batch'
    | 'float-account'
    | 'unmatched-credit';
  tag:
    'agreements' | 'payments' | 'clients' | 'counterparties' | 'onboardings' | 'batches' | 'float accounts';
  path: string;
  what: string;
  operationId: string;
  workflowId: (uid: string) => string;
}

function timelineOf({ resource, tag, path, what, operationId, workflowId }: Resource): Endpoint {
  const stated = contract({
    method: 'get',
    path: `${path}/{uid}/timeline`,
    operationId,
    tags: [tag],
    summary: `Get the timeline of ${what}: everything that was recorded`,
    description:
      'Returns all entries since the first one, also of what Temporal no longer stores. While the records database is away, ' +
      'it returns what the workflow still holds, and `complete` is false.',
    access: 'read',
    connection: resource,
    request: { params: UidParams, query: PagingQuery },
    answers: { 200: json('A page of entries, oldest first.', TimelineAnswer) },
    problems: [404, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { uid } = c.req.valid('param');
    const of = { resource, uid, workflowId: workflowId(uid) };
    const read = await timelineAnswer(dependencies, of, c.req.valid('query'), `${path}/${uid}/timeline`);
    const { page, contents } = found(read, what);
    c.set('personalValues', personalValues(contents));
    return c.json(page, 200);
  });
}

export const getTimelines: readonly Endpoint[] = [
  timelineOf({
    ...{ resource: 'float-account', tag: 'float accounts', path: '/v1/float-accounts' },
    ...{ what: 'a float account', operationId: 'getFloatAccountTimeline' },
    workflowId: floatAccountWorkflowId,
  }),
  timelineOf({
    ...{ resource: 'unmatched-credit', tag: 'float accounts', path: '/v1/unmatched-credits' },
    ...{ what: 'an unmatched credit', operationId: 'getUnmatchedCreditTimeline' },
    workflowId: unmatchedCreditWorkflowId,
  }),
  timelineOf({
    ...{ resource: 'agreement', tag: 'agreements', path: '/v1/agreements', what: 'an agreement' },
    ...{ operationId: 'getTimeline', workflowId: agreementWorkflowId },
  }),
  timelineOf({
    ...{ resource: 'payment', tag: 'payments', path: '/v1/payments', what: 'a payment' },
    ...{ operationId: 'getPaymentTimeline', workflowId: paymentWorkflowId },
  }),
  timelineOf({
    ...{ resource: 'refund', tag: 'payments', path: '/v1/refunds', what: 'a refund' },
    ...{ operationId: 'getRefundTimeline', workflowId: refundWorkflowId },
  }),
  timelineOf({
    ...{ resource: 'client', tag: 'clients', path: '/v1/clients', what: 'a client' },
    ...{ operationId: 'getClientTimeline', workflowId: clientWorkflowId },
  }),
  timelineOf({
    ...{
      resource: 'counterparty',
      tag: 'counterparties',
      path: '/v1/counterparties',
      what: 'a counterparty',
    },
    ...{ operationId: 'getCounterpartyTimeline', workflowId: counterpartyWorkflowId },
  }),
  timelineOf({
    ...{ resource: 'onboarding', tag: 'onboardings', path: '/v1/onboardings', what: 'an onboarding' },
    ...{ operationId: 'getOnboardingTimeline', workflowId: onboardingWorkflowId },
  }),
  timelineOf({
    ...{ resource: 'batch', tag: 'batches', path: '/v1/batches', what: 'a batch' },
    ...{ operationId: 'getBatchTimeline', workflowId: batchWorkflowId },
  }),
];
