// The timelines of all resources: one route for each.
import { personalValues } from '../../../domain/agreement/personal-values.js';
import { RESOURCES, workflowIdOf } from '../../../domain/resources.js';
import { READ, contract, endpoint, json } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
import type { BoundResource } from '../../http/connection-binding.js';
import { found } from '../../http/problems/errors.js';
import { PagingQuery, UidParams } from '../../http/parameters.schema.js';
import { pathTo } from '../links.js';
import { TAGS } from '../resource.js';
import { TimelineAnswer } from './answer.schema.js';
import { timelineAnswer } from './page.js';

/** The operationIds, in the order of the document. */
const OPERATIONS: Readonly<Record<BoundResource, string>> = {
  'float-account': 'getFloatAccountTimeline',
  'unmatched-credit': 'getUnmatchedCreditTimeline',
  agreement: 'getTimeline',
  payment: 'getPaymentTimeline',
  refund: 'getRefundTimeline',
  client: 'getClientTimeline',
  counterparty: 'getCounterpartyTimeline',
  onboarding: 'getOnboardingTimeline',
  batch: 'getBatchTimeline',
};

function timelineOf(resource: BoundResource, operationId: string): Endpoint {
  const { what, plural } = RESOURCES[resource];
  const stated = contract({
    ...READ,
    path: `/v1/${plural}/{uid}/timeline`,
    operationId,
    tags: [TAGS[resource]],
    summary: `Get the timeline of ${what}: everything that was recorded`,
    description:
      'Returns all entries since the first one, also of what Temporal no longer stores. While the records database is away, ' +
      'it returns what the workflow still holds, and `complete` is false.',
    connection: resource,
    request: { params: UidParams, query: PagingQuery },
    answers: { 200: json('A page of entries, oldest first.', TimelineAnswer) },
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { uid } = c.req.valid('param');
    const of = { resource, uid, workflowId: workflowIdOf(resource, uid) };
    const read = await timelineAnswer(
      dependencies,
      of,
      c.req.valid('query'),
      `${pathTo(resource, uid)}/timeline`,
    );
    const { page, contents } = found(read, what);
    c.set('personalValues', personalValues(contents));
    return c.json(page, 200);
  });
}

export const timelineEndpoints: readonly Endpoint[] = Object.entries(OPERATIONS).map(
  ([resource, operationId]) => timelineOf(resource as BoundResource, operationId),
);
