// In:  GET /v1/agreements/{uid}.
// Out: api/temporal/door.ts asks workflows/agreement/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { agreementAnswer } from '../answers/agreement.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { AgreementAnswer } from '../schemas/agreement.schema.js';
import { UidParams, WaitQuery } from '../schemas/parameters.schema.js';
import { isAnswered, watched } from '../wait.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'get',
  path: '/v1/agreements/{uid}',
  operationId: 'getAgreement',
  tags: ['agreements'],
  summary: 'Where an agreement stands',
  ...needsKey('read'),
  request: { params: UidParams, query: WaitQuery },
  responses: { 200: json('The agreement.', AgreementAnswer), ...problems(400, 401, 403, 404, 503) },
});

export function registerGetAgreement(router: Router, { temporal, temporalUi, clock }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    const read = async () => {
      const found = await temporal.agreements.view(uid);
      if (found === undefined) throw notFound('an agreement');
      return found;
    };
    const { wait: seconds } = c.req.valid('query');
    const view = await watched(await read(), {
      read,
      isOver: isAnswered,
      seconds,
      signal: c.req.raw.signal,
      clock,
    });
    return c.json({ data: agreementAnswer(temporalUi, view) }, 200);
  });
}
