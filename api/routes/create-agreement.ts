// In:  POST /v1/agreements.
// Out: api/temporal/door.ts starts workflows/agreement/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { CreateAgreement } from '../../domain/agreement.schema.js';
import { agreementAnswer } from '../answers/agreement.js';
import { jsonBody } from '../body.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { AgreementAnswer } from '../schemas/agreement.schema.js';
import { IdempotencyHeaders, WaitQuery } from '../schemas/parameters.schema.js';
import { isAnswered, watched } from '../wait.js';
import { bodyOf, json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'post',
  path: '/v1/agreements',
  operationId: 'createAgreement',
  tags: ['agreements'],
  summary: 'Start an agreement; its uid makes repeats harmless',
  ...needsKey('write'),
  middleware: jsonBody,
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateAgreement) },
  responses: {
    202: json('Accepted, now or before; the payer has not necessarily answered.', AgreementAnswer),
    ...problems(400, 401, 403, 413, 415, 422, 503),
  },
});

export function registerCreateAgreement(
  router: Router,
  { temporal, temporalUi, clock }: ApiDependencies,
): void {
  router.openapi(route, async (c) => {
    const { uid, connection, ...mandate } = c.req.valid('json');
    const started = await temporal.agreements.start({ uid, connection, mandate });
    const view = await watched(started, {
      read: async () => (await temporal.agreements.view(uid)) ?? started,
      isOver: isAnswered,
      seconds: c.req.valid('query').wait,
      signal: c.req.raw.signal,
      clock,
    });
    return c.json({ data: agreementAnswer(temporalUi, view) }, 202);
  });
}
