// In:  POST /v1/agreements/{uid}/look-up.
// Out: api/temporal/door.ts updates workflows/agreement/workflow.ts, which asks the provider.
import { createRoute } from '@hono/zod-openapi';
import { agreementAnswer } from '../answers/agreement.js';
import { optionalJsonBody } from '../body.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { AgreementAnswer } from '../schemas/agreement.schema.js';
import { UidParams } from '../schemas/parameters.schema.js';
import { json, needsKey, optionalBody, problems } from '../contract.js';

const route = createRoute({
  method: 'post',
  path: '/v1/agreements/{uid}/look-up',
  operationId: 'lookUpAgreement',
  tags: ['agreements'],
  summary: 'Have the provider asked now how an agreement stands; harmless, however often',
  ...needsKey('write'),
  middleware: optionalJsonBody,
  request: { params: UidParams, body: optionalBody },
  responses: {
    202: json('It is being asked; the timeline shows what it says.', AgreementAnswer),
    ...problems(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export function registerLookUpAgreement(router: Router, { temporal, temporalUi }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    await temporal.agreements.lookUp(uid);
    const view = await temporal.agreements.view(uid);
    if (view === undefined) throw notFound('an agreement');
    return c.json({ data: agreementAnswer(temporalUi, view) }, 202);
  });
}
