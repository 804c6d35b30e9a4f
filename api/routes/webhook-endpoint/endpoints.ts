// Endpoints for webhooks: create, read, change and delete them.
import { randomUUID } from 'node:crypto';
import type { EndpointSettings } from '../../../records/webhook-endpoint-rows.js';
import { MOST_ENDPOINTS, MOST_OF_PRINCIPAL } from '../../../records/webhook-endpoints.js';
import { bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { digestOf, keyConflict, scopedKey } from '../../http/idempotency.js';
import { withScope } from '../../http/identify.js';
import { pageOf } from '../../http/paging.js';
import { KEY_HEADER, KeyHeaders, PagingQuery } from '../../http/parameters.schema.js';
import { ApiError, found, notFound } from '../../http/problems/errors.js';
import { nextPage } from '../links.js';
import { assertAllowed, assertControls, mayUseEndpoint, ownEndpoint } from './access.js';
import { EndpointAnswer, EndpointsPage, endpointAnswer } from './answer.schema.js';
import { webhookCommands } from './commands.js';
import { webhookDeliveries } from './deliveries.js';
import { ChangeEndpoint, CreateEndpoint, EndpointParams } from './request.schema.js';

const PATH = '/v1/webhook-endpoints';
const WHAT = 'a webhook endpoint';
const SHARED = { tags: ['webhooks'] as ['webhooks'], connection: 'filtered' } as const;

const created = contract({
  ...SHARED,
  method: 'post',
  path: PATH,
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  description:
    'Call this to receive events as signed HTTP requests, instead of reading `GET /v1/events`. Store `secret` from the answer: you need it to verify each request. ' +
    'The endpoint receives the events from now on; `POST /v1/webhook-endpoints/{id}/replay` sends older ones. Check it with `POST /v1/webhook-endpoints/{id}/test`. ' +
    'It is bound to your key: it receives what the key may see, masked by its scopes, and stops if the key is removed. The form `full` needs the scope `read`. ' +
    'A repeat with the same `Idempotency-Key` and API key returns the same endpoint, with its secret for a day and until the secret is rotated. ' +
    `There can be ${MOST_OF_PRINCIPAL} endpoints of one principal, and ${MOST_ENDPOINTS} in all.`,
  task: 'events.md#create-a-webhook-endpoint',
  access: 'write',
  isAudited: true,
  request: { headers: KeyHeaders, body: bodyOf(CreateEndpoint) },
  answers: {
    201: json('The endpoint was created now, or by an earlier request with this key.', EndpointAnswer),
  },
  problems: [404, 409, 422, 503],
});

const createEndpoint = endpoint(created, (dependencies) => async (c) => {
  const body = c.req.valid('json');
  const key = withScope(c.get('apiKey'), 'write');
  await assertAllowed(dependencies, key, body);
  const { url, form, description, types, connections } = body;
  const creation = await dependencies.temporal.webhookEndpoints.create({
    ...{ id: randomUUID(), principal: key.principal, apiKeyId: key.id },
    ...{ keyScopes: key.scopes, keyConnections: key.connections },
    requestKey: scopedKey(c, c.req.valid('header')[KEY_HEADER]),
    requestDigest: digestOf(body),
    settings: {
      ...{ url, form, description: description ?? undefined },
      ...{ types: types ?? undefined, connections: connections ?? undefined },
    },
  });
  if (creation.is === 'conflict') throw keyConflict();
  if (creation.is === 'other_key') throw otherKey();
  if (creation.is === 'too_many') throw tooMany(creation.of);
  if (!mayUseEndpoint(key, creation.endpoint)) throw notFound(WHAT);
  return c.json({ data: endpointAnswer(creation.endpoint, creation.secret) }, 201);
});

const tooMany = (of: 'all' | 'principal'): ApiError =>
  new ApiError(
    'too_many_endpoints',
    of === 'all'
      ? `There are ${MOST_ENDPOINTS} webhook endpoints, which is the most. Delete one that is not used.`
      : `You have ${MOST_OF_PRINCIPAL} webhook endpoints, which is the most of one principal. Delete one that is not used.`,
  );

/** An endpoint shows what its key may see, so a repeat with another API key would make another one. */
const otherKey = (): ApiError =>
  new ApiError(
    'idempotency_conflict',
    'This Idempotency-Key has made an endpoint with another API key, to which that endpoint is bound. Use a new Idempotency-Key.',
    { errors: [{ header: KEY_HEADER, detail: 'expected the API key of the first request' }] },
  );

const listed = contract({
  ...SHARED,
  method: 'get',
  path: PATH,
  operationId: 'listWebhookEndpoints',
  summary: 'List your webhook endpoints',
  description:
    'Use it to find the endpoints of your principal, oldest first, and whether they deliver. The answers have no secret. ' +
    'A key for all connections with the scope `operate` lists those of all principals.',
  task: 'events.md#read-your-webhook-endpoints',
  access: 'read',
  request: { query: PagingQuery },
  answers: { 200: json('The answer has a page of endpoints.', EndpointsPage) },
  problems: [503],
});

const listEndpoints = endpoint(listed, ({ temporal }) => async (c) => {
  const query = c.req.valid('query');
  const key = withScope(c.get('apiKey'), 'read');
  const usable = (await temporal.webhookEndpoints.list()).filter((one) => mayUseEndpoint(key, one));
  const { page, next } = pageOf(usable, ({ createdAt, id }) => [createdAt, id], query);
  const links = nextPage(PATH, { per_page: query.per_page }, next);
  return c.json({ data: page.map((one) => endpointAnswer(one)), links }, 200);
});

const read = contract({
  ...SHARED,
  method: 'get',
  path: `${PATH}/{id}`,
  operationId: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  description:
    'Call this to see whether an endpoint delivers: `status`, `attention`, and in `delivery` how far it is and since when it fails. ' +
    'The answer has no secret. For the single attempts, read `GET /v1/webhook-endpoints/{id}/deliveries`.',
  task: 'events.md#read-your-webhook-endpoints',
  access: 'read',
  request: { params: EndpointParams },
  answers: { 200: json('The endpoint, and how far its deliveries are.', EndpointAnswer) },
  problems: [404, 503],
});

const getEndpoint = endpoint(read, ({ temporal }) => async (c) => {
  const one = await ownEndpoint(c, temporal, c.req.valid('param').id, 'read');
  return c.json({ data: endpointAnswer(one) }, 200);
});

const changed = contract({
  ...SHARED,
  method: 'patch',
  path: `${PATH}/{id}`,
  operationId: 'changeWebhookEndpoint',
  summary: 'Change, disable or enable a webhook endpoint',
  description:
    'Call this to change what an endpoint receives and where, to pause it, or to continue it after its receiver was corrected. Fields that are absent stay as they are. ' +
    '`url`, `form`, `connections` and `types` need a key with all scopes of the key that made the endpoint, or with the scope `operate` for all connections. ' +
    'Events of a disabled endpoint wait, and are sent after it is enabled, as long as they are stored. ' +
    'A repeat changes nothing more.',
  task: 'events.md#change-a-webhook-endpoint',
  access: 'write',
  isAudited: true,
  request: { params: EndpointParams, body: bodyOf(ChangeEndpoint) },
  answers: { 200: json('The endpoint with its changes. They apply to the next event.', EndpointAnswer) },
  problems: [404, 422, 503],
});

/** They decide what is sent, and where. */
const DECISIVE = ['url', 'form', 'connections', 'types'] as const;

const changeEndpoint = endpoint(changed, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const { id } = c.req.valid('param');
  const body = c.req.valid('json');
  const before = await ownEndpoint(c, temporal, id, 'write');
  const key = withScope(c.get('apiKey'), 'write');
  if (DECISIVE.some((field) => body[field] !== undefined)) assertControls(key, before);
  await assertAllowed(dependencies, key, body, before);
  const change = { settings: settingsIn(body), status: body.status, by: c.get('principal') };
  const after = found(await temporal.webhookEndpoints.change(id, change), WHAT);
  return c.json({ data: endpointAnswer(after) }, 200);
});

/** Leaves out absent fields. Null stands for all, or for none. */
const settingsIn = ({
  url,
  description,
  types,
  connections,
  form,
}: ChangeEndpoint): Partial<EndpointSettings> => ({
  ...(url !== undefined && { url }),
  ...(form !== undefined && { form }),
  ...(description !== undefined && { description: description ?? undefined }),
  ...(types !== undefined && { types: types ?? undefined }),
  ...(connections !== undefined && { connections: connections ?? undefined }),
});

const deleted = contract({
  ...SHARED,
  method: 'delete',
  path: `${PATH}/{id}`,
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description:
    'Call this if the receiver is gone for good. Its waiting events are not sent, and its secret is deleted; to pause it only, disable it with PATCH. ' +
    'A repeat is answered with 404, which you can treat as a success.',
  task: 'events.md#delete-a-webhook-endpoint',
  access: 'write',
  isAudited: true,
  request: { params: EndpointParams },
  answers: { 204: { description: 'The endpoint was deleted. Requests that are under way end.' } },
  problems: [404, 503],
});

const deleteEndpoint = endpoint(deleted, ({ temporal }) => async (c) => {
  const { id } = c.req.valid('param');
  await ownEndpoint(c, temporal, id, 'write');
  await temporal.webhookEndpoints.remove(id, c.get('principal'));
  return c.body(null, 204);
});

export const webhookEndpoints: readonly Endpoint[] = [
  ...[createEndpoint, listEndpoints, getEndpoint, changeEndpoint, deleteEndpoint],
  ...webhookCommands,
  ...webhookDeliveries,
];
