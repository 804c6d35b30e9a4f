// In:  POST /v1/agreements/{uid}/attention/{code}/resolution.
// Out: api/temporal/door.ts updates workflows/agreement/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { ResolveAttention } from '../../domain/action.schema.js';
import { agreementAnswer } from '../answers/agreement.js';
import { jsonBody } from '../body.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { neededKey } from '../idempotency.js';
import { AgreementAnswer } from '../schemas/agreement.schema.js';
import { AttentionParams, IdempotencyHeaders } from '../schemas/parameters.schema.js';
import { bodyOf, json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'post',
  path: '/v1/agreements/{uid}/attention/{code}/resolution',
  operationId: 'resolveAttention',
  tags: ['agreements'],
  summary: 'Say that what a flag warned of has been dealt with, and why; what it held back goes on',
  ...needsKey('operate'),
  middleware: jsonBody,
  request: { params: AttentionParams, headers: IdempotencyHeaders, body: bodyOf(ResolveAttention) },
  responses: {
    200: json('Taken, now or before; who said so and why is in the timeline.', AgreementAnswer),
    ...problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
  },
});

export function registerResolveAttention(router: Router, { temporal, temporalUi }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid, code } = c.req.valid('param');
    const { reason } = c.req.valid('json');
    const key = neededKey(c.req.valid('header')['Idempotency-Key']);
    await temporal.agreements.resolveAttention(uid, { key, code, reason, by: c.get('apiKeyId') });
    const view = await temporal.agreements.view(uid);
    if (view === undefined) throw notFound('an agreement');
    return c.json({ data: agreementAnswer(temporalUi, view) }, 200);
  });
}
