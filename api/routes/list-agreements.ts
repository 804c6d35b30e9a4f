// In:  GET /v1/agreements.
// Out: api/temporal/door.ts lists agreements by their search attributes.
import { createRoute } from '@hono/zod-openapi';
import { summaryAnswer } from '../answers/agreement.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { nextPage } from '../links.js';
import { openCursor, sealCursor } from '../paging.js';
import { AgreementsAnswer } from '../schemas/agreement.schema.js';
import { AgreementsQuery } from '../schemas/parameters.schema.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'get',
  path: '/v1/agreements',
  operationId: 'listAgreements',
  tags: ['agreements'],
  summary: 'Agreements by state, by what they wait for, by what needs a person',
  ...needsKey('read'),
  request: { query: AgreementsQuery },
  responses: { 200: json('One page, the newest first.', AgreementsAnswer), ...problems(400, 401, 403, 503) },
});

export function registerListAgreements(
  router: Router,
  { temporal, temporalUi, keyring }: ApiDependencies,
): void {
  router.openapi(route, async (c) => {
    const { cursor, ...query } = c.req.valid('query');
    const page = await temporal.agreements.list({ ...query, cursor: openCursor(keyring, cursor) });
    const data = page.agreements.map((listed) => summaryAnswer(temporalUi, listed));
    return c.json({ data, links: nextPage('/v1/agreements', query, sealCursor(keyring, page.next)) }, 200);
  });
}
