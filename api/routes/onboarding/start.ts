import type { z } from 'zod';
import { StartOnboarding, withoutRemoteIp } from '../../../domain/onboarding/request.schema.js';
import type { OnboardingView } from '../../../workflows/onboarding/contract.js';
import { OnboardingAnswer, onboardingAnswer } from './answer.schema.js';
import { onboardingWorkflowId } from '../../../workflows/onboarding/contract.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { keyUse, requestedByCaller, uidFrom } from '../../http/idempotency.js';
import { judgedParts } from './parts.js';
import { wouldRefuse } from '../provider-check.js';
import { IdempotencyHeaders, OnboardingParams, WaitQuery } from '../../http/parameters.schema.js';
import { isOnboardingSettled, viewInTime, waitOf, watched } from '../../http/wait.js';
import type { Wait } from '../../http/wait.js';

const started = contract({
  method: 'post',
  path: '/v1/onboardings',
  operationId: 'startOnboarding',
  tags: ['onboardings'],
  summary: 'Onboard a payer with counterparty, client, agreement and first payment (idempotent)',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(StartOnboarding) },
  answers: { 202: json('Accepted. `steps` shows the progress.', OnboardingAnswer) },
  problems: [409, 422, 503],
});

export const startOnboarding = endpoint(started, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const body = c.req.valid('json');
  const { id: named, connection, ...requested } = body;
  const key = c.req.valid('header')['Idempotency-Key'];
  const connectionId = await temporal.connectionFor(connection);
  const principal = c.get('principal');
  const id = named ?? uidFrom('onboarding', { principal, key, of: connectionId });
  const { parts, faults } = await judgedParts(dependencies, requested, { id, connectionId, principal });
  // A repeat passes even if it would be refused by now.
  if (faults.length > 0 && (await temporal.onboardings.view(id)) === undefined)
    throw wouldRefuse(dependencies, faults);
  const { agreement } = parts;
  if (agreement === undefined) throw new Error('an onboarding without faults must have an agreement');
  // An id derived from the key already binds the key.
  const use = named === undefined ? undefined : keyUse(c, key, { uid: named, body });
  const input = {
    id,
    connectionId,
    requested: withoutRemoteIp(requested),
    parts: { ...parts, agreement },
    requestedBy: principal,
  };
  const first = requestedByCaller(await temporal.onboardings.start(input, use), principal, '/id');
  return c.json(
    await answerOnceSettled(dependencies, first, waitOf(dependencies, c, onboardingWorkflowId(first.id))),
    202,
  );
});

/** The onboarding once it has ended, needs a person, or the caller's wait is over. */
export async function answerOnceSettled(
  { temporal, temporalUi }: Pick<ApiDependencies, 'temporal' | 'temporalUi'>,
  first: OnboardingView,
  wait: Wait,
): Promise<z.output<typeof OnboardingAnswer>> {
  const read = () => temporal.onboardings.view(first.id);
  const view = await watched(first, { read, isOver: isOnboardingSettled, ...wait });
  return { data: onboardingAnswer(temporalUi, view) };
}

const read = contract({
  method: 'get',
  path: '/v1/onboardings/{id}',
  operationId: 'getOnboarding',
  tags: ['onboardings'],
  summary: 'Get an onboarding, its steps and the next action',
  access: 'read',
  connection: 'onboarding',
  request: { params: OnboardingParams, query: WaitQuery },
  answers: { 200: json('The onboarding.', OnboardingAnswer) },
  problems: [404, 503],
});

export const getOnboarding = endpoint(read, (dependencies) => async (c) => {
  const { temporal, temporalUi } = dependencies;
  const { id } = c.req.valid('param');
  const read = () => temporal.onboardings.view(id);
  const view = await viewInTime({
    what: 'an onboarding',
    read,
    isOver: isOnboardingSettled,
    ...waitOf(dependencies, c, onboardingWorkflowId(id)),
  });
  return c.json({ data: onboardingAnswer(temporalUi, view) }, 200);
});
