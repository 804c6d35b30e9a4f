import {
  CreateClient,
  ResolveClientAttention,
  UpdateClient,
  faultsOfChanges,
  faultsOfOrder,
} from '../../../domain/client/request.schema.js';
import { CLIENT, CLIENT_VIEW_STATES } from './answer.schema.js';
import { bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { client, listQuery } from '../../http/list-parameters.schema.js';
import { faultsIn, wouldRefuse } from '../provider-check.js';
import { callerOf, requestedByCaller } from '../../http/caller.js';
import { digestOf, keyUse, scopedKey, uidFrom } from '../../http/idempotency.js';
import { IdempotencyHeaders, KeyHeaders, UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { answerInTime, answerNow, getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';

const created = contract({
  method: 'post',
  path: '/v1/clients',
  operationId: 'createClient',
  tags: ['clients'],
  summary: 'Register a client, or adopt the provider’s client of the same business (idempotent)',
  description:
    'Call this once for each merchant whose agreements you want to create. The worker registers the merchant at the provider. If the provider already has a client with ' +
    'the same ABN or ACN, nothing is registered: that client is adopted, or, if it differs or several match, the flag `parked` asks an operator. ' +
    'The provider decides on the PayTo service later: listen for `client.active`, `client.failed` and `client.updated`, or read `GET /v1/clients/{uid}`. ' +
    'In state `active`, agreements may name its `client_id` as `initiator.client_id` (from version 20260901 of the payments API). ' +
    'A repeat with the same `uid` or `Idempotency-Key` and the same body returns the same client.',
  task: 'onboarding.md#register-a-client',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateClient) },
  answers: { 202: json('Accepted. The provider decides on its service later.', CLIENT.one) },
  problems: [409, 410, 422, 503],
});

const createClient = endpoint(created, (dependencies) => async (c) => {
  const { temporal, clientDepth: depth } = dependencies;
  const body = c.req.valid('json');
  const { uid: named, connection, ...order } = body;
  const faults = [
    ...faultsIn(dependencies, { operation: 'createClient', request: order }),
    ...faultsOfOrder(order),
  ];
  const caller = callerOf(c);
  const isRepeat = async (): Promise<boolean> =>
    named !== undefined && requestedByCaller(await temporal.clients.view(named), caller) !== undefined;
  if (faults.length > 0 && !(await isRepeat())) throw wouldRefuse(dependencies, faults);
  const key = c.req.valid('header')['Idempotency-Key'];
  const { principal } = caller;
  const uidOn = (connectionId: string): string =>
    named ?? uidFrom('client', { principal, key, of: connectionId });
  const use = keyUse(c, key, { uid: named, body });
  const first = await temporal.clients.start({ uidOn, connection, order, use, depth, caller });
  return c.json(await answerInTime(CLIENT, dependencies, c, first.uid, { first }), 202);
});

const changed = contract({
  method: 'patch',
  path: '/v1/clients/{uid}',
  operationId: 'updateClient',
  tags: ['clients'],
  summary: 'Update the names, address, website or contact of a client',
  description:
    'Changes the named fields at the provider, and leaves the others. All other fields of a client are fixed at registration, and the request is refused if it names one. ' +
    'The worker sends one change at a time. `changes` shows it as `due` until the provider has `accepted` or `refused` it. ' +
    'A repeat with the same `Idempotency-Key` sends nothing again.',
  task: 'onboarding.md#change-a-client',
  access: 'write',
  connection: 'client',
  request: { params: UidParams, headers: KeyHeaders, body: bodyOf(UpdateClient) },
  answers: { 202: json('Accepted. `changes` shows the outcome later.', CLIENT.one) },
  problems: [404, 409, 410, 422, 429, 503],
});

const updateClient = endpoint(changed, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  const changes = c.req.valid('json');
  const faults = faultsOfChanges(changes);
  if (faults.length > 0) throw wouldRefuse(dependencies, faults);
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  const use = { key, uid, body: digestOf(changes) };
  await dependencies.temporal.clients.change(uid, { changes, use });
  return c.json(await answerNow(CLIENT, dependencies, c, uid), 202);
});

export const clientEndpoints: readonly Endpoint[] = [
  createClient,
  listOf(CLIENT, {
    summary: 'List clients by state or attention flag',
    description: 'Use this to find merchants, for example the one with a `client_id` (`client`).',
    query: listQuery(CLIENT_VIEW_STATES, { client }),
  }),
  getOf(CLIENT),
  updateClient,
  lookUpOf(CLIENT),
  resolveAttentionOf(CLIENT, {
    body: ResolveClientAttention.transform(({ client_id: clientId, ...decided }) => ({
      ...decided,
      clientId,
    })),
  }),
];
