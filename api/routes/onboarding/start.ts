import { StartOnboarding, withoutRemoteIp } from '../../../domain/onboarding/request.schema.js';
import { ONBOARDING } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { callerOf, requestedByCaller } from '../../http/caller.js';
import { keyUse, uidFrom } from '../../http/idempotency.js';
import { judgedParts } from './parts.js';
import { wouldRefuse } from '../provider-check.js';
import { withinBinding } from '../within-binding.js';
import { answerInTime } from '../resource.js';
import { IdempotencyHeaders, WaitQuery } from '../../http/parameters.schema.js';

const started = contract({
  method: 'post',
  path: '/v1/onboardings',
  operationId: 'startOnboarding',
  tags: ['onboardings'],
  summary: 'Onboard a payer with counterparty, client, agreement and first payment (idempotent)',
  description:
    'Call this to take a payer from verification to the first payment with one request, instead of one request for each resource. ' +
    'The API checks all parts first. If one is wrong, nothing starts, and a 400 (form) or 422 (rules) lists every fault. ' +
    'Then the worker verifies and registers the counterparty, registers the client, creates the agreement, waits for the payer’s decision, and takes the first payment. ' +
    'Each step starts when the previous one is done. A part that you leave out has no step; only `agreement` is required.\n\n' +
    'The answer 202 comes before any step is done. Listen for `onboarding.step_changed`, `onboarding.stopped` and `onboarding.completed`, or read `GET /v1/onboardings/{id}`. ' +
    'If a step stops, its `next` names the request that continues it. ' +
    'After a timeout, send the same request again: the same `id` or `Idempotency-Key` with the same body returns the same onboarding, and creates nothing twice.',
  task: 'onboarding.md#start-an-onboarding',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(StartOnboarding) },
  answers: {
    202: json('Accepted. `steps` shows the progress, and `who_acts` names who must act.', ONBOARDING.one),
  },
  problems: [409, 410, 422, 503],
});

export const startOnboarding = endpoint(started, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const body = c.req.valid('json');
  const { id: named, connection, ...requested } = body;
  const key = c.req.valid('header')['Idempotency-Key'];
  const connectionId = await temporal.connectionFor(connection);
  const caller = callerOf(c);
  const { principal } = caller;
  const id = named ?? uidFrom('onboarding', { principal, key, of: connectionId });
  const checking = withinBinding(dependencies, caller);
  const { parts, faults } = await judgedParts(checking, requested, { id, connectionId, principal });
  // A repeat passes even if it would be refused by now.
  const isRepeat = async (): Promise<boolean> =>
    requestedByCaller(await temporal.onboardings.view(id), caller, '/id') !== undefined;
  if (faults.length > 0 && !(await isRepeat())) throw wouldRefuse(dependencies, faults);
  const { agreement } = parts;
  if (agreement === undefined) throw new Error('an onboarding without faults must have an agreement');
  const use = keyUse(c, key, { uid: named, body });
  const input = {
    id,
    connectionId,
    requested: withoutRemoteIp(requested),
    parts: { ...parts, agreement },
    requestedBy: principal,
  };
  const first = await temporal.onboardings.start(input, use, caller);
  return c.json(await answerInTime(ONBOARDING, dependencies, c, first.id, { first }), 202);
});
