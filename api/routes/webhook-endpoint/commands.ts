// The commands of endpoints for webhooks: rotate the secret, replay events, and resolve a flag.
import { bodyOf, contract, endpoint, json, optionalBodyOf, type Endpoint } from '../../http/contract.js';
import { keyConflict, keyUse } from '../../http/idempotency.js';
import { KEY_HEADER, OptionalKeyHeaders } from '../../http/parameters.schema.js';
import { ApiError, found, notFound } from '../../http/problems/errors.js';
import { typesMatching } from '../../../domain/records/event-type-patterns.js';
import { CONTROL, controlledEndpoint, ownEndpoint } from './access.js';
import { EndpointAnswer, endpointAnswer } from './answer.schema.js';
import {
  EndpointParams,
  FlagParams,
  ReplayEvents,
  ResolveEndpointFlag,
  RotateSecret,
} from './request.schema.js';
import type { ReplayStart } from '../../../records/webhook-endpoint-replays.js';
import type { StoredEndpoint } from '../../../records/webhook-endpoint-rows.js';

const PATH = '/v1/webhook-endpoints/{id}';
const WHAT = 'a webhook endpoint';
const SHARED = { method: 'post', tags: ['webhooks'] as ['webhooks'], connection: 'filtered' } as const;

const rotation = contract({
  ...SHARED,
  path: `${PATH}/secret-rotation`,
  operationId: 'rotateWebhookSecret',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'Call this if the secret may have leaked, or as a routine. Store the new `secret` from the answer, and accept both until the overlap has ended: during it, both secrets sign each request. ' +
    'A repeat with the same `Idempotency-Key` rotates nothing, and its answer has the secret too, for a day and until the next rotation. Without the header, each request rotates again. ' +
    CONTROL,
  task: 'events.md#rotate-the-secret',
  access: 'write',
  isAudited: true,
  request: {
    ...{ params: EndpointParams, headers: OptionalKeyHeaders },
    body: optionalBodyOf(RotateSecret),
  },
  answers: { 200: json('The endpoint with its new secret: store it.', EndpointAnswer) },
  problems: [404, 422, 503],
});

const rotateSecret = endpoint(rotation, ({ temporal }) => async (c) => {
  const { id } = c.req.valid('param');
  const body = c.req.valid('json');
  await controlledEndpoint(c, temporal, id);
  const rotated = await temporal.webhookEndpoints.rotateSecret(id, {
    overlapHours: body.overlap_hours,
    use: keyUse(c, c.req.valid('header')[KEY_HEADER], { uid: id, body }),
  });
  if (rotated.is === 'no_endpoint') throw notFound(WHAT);
  if (rotated.is === 'conflict') throw keyConflict();
  const after = await ownEndpoint(c, temporal, id, 'write');
  return c.json({ data: endpointAnswer(after, rotated.secret) }, 200);
});

const replayed = contract({
  ...SHARED,
  path: `${PATH}/replay`,
  operationId: 'replayWebhookEvents',
  summary: 'Send the events since a time again',
  description:
    'Call this if your receiver has lost events. It sends the stored events from `since` until now again, in addition to new ones and with the same ids, so ignore those that you have handled. ' +
    'The answer comes at once; `delivery.replays` is 0 once the replay has finished. One replay runs at a time: another request is refused with 409 `replay_unfinished`. ' +
    'A repeat with the same `Idempotency-Key` starts nothing. ' +
    CONTROL,
  task: 'events.md#replay-events',
  access: 'write',
  isAudited: true,
  request: {
    ...{ params: EndpointParams, headers: OptionalKeyHeaders },
    body: bodyOf(ReplayEvents),
  },
  answers: { 202: json('The replay has started, or there are no events since then.', EndpointAnswer) },
  problems: [404, 409, 410, 422, 503],
});

const replayEvents = endpoint(replayed, ({ temporal }) => async (c) => {
  const { id } = c.req.valid('param');
  const body = c.req.valid('json');
  const types = body.types ?? undefined;
  assertReceived(types, await controlledEndpoint(c, temporal, id));
  const use = keyUse(c, c.req.valid('header')[KEY_HEADER], { uid: id, body });
  const replay = { since: body.since, types, use };
  assertStarted(await temporal.webhookEndpoints.startReplay(id, replay));
  return c.json({ data: endpointAnswer(await ownEndpoint(c, temporal, id, 'write')) }, 202);
});

/** Otherwise the replay would end without a word about these types. @throws ApiError `types_not_received` */
function assertReceived(
  replayed: readonly string[] | undefined,
  { types: received }: Pick<StoredEndpoint, 'types'>,
): void {
  if (replayed === undefined || received === undefined) return;
  const sent = new Set<string>(received.flatMap(typesMatching));
  const others = replayed.filter((name) => !typesMatching(name).some((type) => sent.has(type)));
  if (others.length === 0) return;
  throw new ApiError(
    'types_not_received',
    `The endpoint does not receive ${others.join(', ')}. Change its types, or leave these out.`,
    { errors: [{ pointer: '/types', detail: `expected types of ${received.join(', ')}` }] },
  );
}

function assertStarted(start: ReplayStart): void {
  if (start.is === 'no_endpoint') throw notFound(WHAT);
  if (start.is === 'conflict') throw keyConflict();
  if (start.is === 'unfinished')
    throw new ApiError('replay_unfinished', 'A replay has not finished. Start another one after it.');
  if (start.is === 'expired')
    throw new ApiError(
      'events_expired',
      `Events until ${start.before} were deleted. Read the lists with changed_after, and replay since ${start.before}.`,
      { errors: [{ pointer: '/since', detail: `expected ${start.before} or later` }] },
    );
}

const resolved = contract({
  ...SHARED,
  path: `${PATH}/attention/{code}/resolution`,
  operationId: 'resolveWebhookAttention',
  summary: 'Resolve an attention flag of a webhook endpoint',
  description:
    'Call this after you have done what `next` of the flag says. It changes only the flag: it sends no event again, and enables no endpoint. ' +
    'A flag that is not raised is refused with 409 `no_such_attention`.',
  task: 'operating.md#resolve-an-attention-flag',
  access: 'operate',
  request: {
    ...{ params: FlagParams, headers: OptionalKeyHeaders },
    body: bodyOf(ResolveEndpointFlag),
  },
  answers: { 200: json('The flag is resolved.', EndpointAnswer) },
  problems: [404, 409, 422, 503],
});

const resolveAttention = endpoint(resolved, ({ temporal }) => async (c) => {
  const { id, code } = c.req.valid('param');
  await ownEndpoint(c, temporal, id, 'operate');
  const body = c.req.valid('json');
  const use = keyUse(c, c.req.valid('header')[KEY_HEADER], { uid: id, body });
  const resolution = { code, by: c.get('principal'), reason: body.reason, use };
  const after = found(await temporal.webhookEndpoints.resolveFlag(id, resolution), WHAT);
  if (after === 'conflict') throw keyConflict();
  if (after === 'not_raised')
    throw new ApiError('no_such_attention', `The flag ${code} is not raised for this endpoint.`);
  return c.json({ data: endpointAnswer(after) }, 200);
});

export const webhookCommands: readonly Endpoint[] = [rotateSecret, replayEvents, resolveAttention];
