// In:  GET /v1/agreements/{uid}/timeline.
// Out: api/temporal.ts asks workflows/agreement.ts.
import { createRoute } from '@hono/zod-openapi';
import { factsAnswer } from '../answers/agreement.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { agreementLinks, nextPage } from '../links.js';
import { pageOf } from '../paging.js';
import { PagingQuery, UidParams } from '../schemas/parameters.schema.js';
import { TimelineAnswer } from '../schemas/timeline.schema.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'get',
  path: '/v1/agreements/{uid}/timeline',
  operationId: 'getTimeline',
  tags: ['agreements'],
  summary: 'Everything we learned of an agreement, and how',
  ...needsKey('read'),
  request: { params: UidParams, query: PagingQuery },
  responses: {
    200: json('One page of facts, the oldest first.', TimelineAnswer),
    ...problems(400, 401, 403, 404, 503),
  },
});

export function registerGetTimeline(router: Router, { temporal, temporalUi }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    const { per_page, cursor } = c.req.valid('query');
    const timeline = await temporal.agreements.timeline(uid);
    if (timeline === undefined) throw notFound('an agreement');
    const { page, next } = pageOf(factsAnswer(timeline), (fact) => [fact.published_at, fact.id], {
      per_page,
      cursor,
    });
    const links = nextPage(agreementLinks(temporalUi, uid).timeline, { per_page }, next);
    return c.json({ data: page, older_count: timeline.olderCount, links }, 200);
  });
}
