// In:  GET /v1/agreements/{uid}/timeline.
// Out: api/temporal/door.ts asks workflows/agreement/workflow.ts, and workflows/history/workflow.ts for what is no longer kept there.
import { createRoute } from '@hono/zod-openapi';
import { NOTHING_OLDER, timelinePage } from '../../domain/timeline.js';
import { factsAnswer } from '../answers/timeline.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { agreementLinks, nextPage } from '../links.js';
import { UidParams } from '../schemas/parameters.schema.js';
import { TimelineAnswer, TimelineQuery } from '../schemas/timeline.schema.js';
import { hasOlder, olderQuestion, positionIn, writePosition } from '../timeline-position.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'get',
  path: '/v1/agreements/{uid}/timeline',
  operationId: 'getTimeline',
  tags: ['agreements'],
  summary: 'Everything we learned of an agreement, and how',
  description:
    'The newest facts are kept here, 200 or more, and are what this begins with. Where there were others before them, ' +
    '`links.older` leads to the whole timeline from its beginning: what is no longer kept is then read from the history ' +
    'that the provider keeps (of it the newest 5000 events), and follow-up pages go on into what is kept. What only we ' +
    'knew of the older ones, look-ups and commands, is not at the provider and is gone.',
  ...needsKey('read'),
  request: { params: UidParams, query: TimelineQuery },
  responses: {
    200: json('One page of facts, the oldest first.', TimelineAnswer),
    ...problems(400, 401, 403, 404, 409, 502, 503),
  },
});

export function registerGetTimeline(router: Router, { temporal, temporalUi }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    const { per_page, cursor, from } = c.req.valid('query');
    const position = positionIn({ cursor, from });
    const timeline = await temporal.agreements.timeline(uid);
    if (timeline === undefined) throw notFound('an agreement');

    const question = olderQuestion(uid, timeline, position);
    const older = question === undefined ? NOTHING_OLDER : await temporal.agreements.older(question);
    const at = { after: position.after, since: question?.since, limit: per_page };
    const { facts, next } = timelinePage(timeline.facts, older, at);

    const path = agreementLinks(temporalUi, uid).timeline;
    const isBack = question !== undefined || !hasOlder(timeline);
    const links = {
      ...nextPage(path, { per_page }, writePosition(next)),
      ...(isBack ? {} : { older: `${path}?from=beginning&per_page=${per_page}` }),
    };
    const data = factsAnswer(facts, timeline);
    return c.json({ data, older_count: timeline.olderCount, links }, 200);
  });
}
