// The timeline of a resource: one route for each.
import { personalValues } from '../../../domain/agreement/personal-values.js';
import { RESOURCES, workflowIdOf } from '../../../domain/resources.js';
import { READ, contract, endpoint, json, recorded, type Endpoint } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { PagingQuery, UidParams } from '../../http/parameters.schema.js';
import { pathTo } from '../links.js';
import { inPascalCase, type ApiResource, type ResourceTypes } from '../resource.js';
import { TimelineAnswer } from './answer.schema.js';
import { timelineAnswer } from './page.js';

/** @param operationId only if it is not `get<Resource>Timeline`. */
export function timelineOf<R extends ResourceTypes>(
  { name: resource, what, tag, connection }: ApiResource<R>,
  operationId = `get${inPascalCase(resource)}Timeline`,
): Endpoint {
  const stated = contract({
    ...READ,
    path: `/v1/${RESOURCES[resource].plural}/{uid}/timeline`,
    operationId,
    tags: [tag],
    summary: `Get the timeline of ${what}: everything that was recorded`,
    description:
      `Use this to find out what happened to ${what}, when and why: each event of the provider, command, decision, flag and state is an entry. ` +
      'It returns all entries since the first one, also of what Temporal no longer stores. While the records database is away, ' +
      'it returns what the workflow still has, and `complete` is false.',
    task: 'operating.md#read-a-timeline',
    connection,
    request: { params: UidParams, query: PagingQuery },
    answers: { 200: recorded(json('A page of entries, which starts with the oldest one.', TimelineAnswer)) },
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
