import {
  CreateClient,
  ResolveClientAttention,
  UpdateClient,
  faultsOfChanges,
  faultsOfOrder,
} from '../../../domain/client/request.schema.js';
import type { ClientView } from '../../../workflows/client/contract.js';
import { ClientAnswer, clientAnswer } from './answer.schema.js';
import { clientWorkflowId } from '../../../workflows/client/contract.js';
import { bodyOf, contract, endpoint, json, noBody } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { found } from '../../http/problems/errors.js';
import { faultsIn, wouldRefuse } from '../provider-check.js';
import { digestOf, keyUse, requestedByCaller, scopedKey, uidFrom } from '../../http/idempotency.js';
import {
  AttentionParams,
  IdempotencyHeaders,
  KeyHeaders,
  UidParams,
  WaitQuery,
} from '../../http/parameters.schema.js';
import { isClientDecided, viewInTime, waitOf, watched } from '../../http/wait.js';

/** Adds the agreements that still run, if the client is suspended or off-boarded. */
async function answerOf({ temporal, temporalUi }: ApiDependencies, view: ClientView) {
  const isStopped = view.state === 'suspended' || view.state === 'off_boarded';
  const beneath =
    isStopped && view.clientId !== undefined ? await temporal.clients.beneath(view.clientId) : undefined;
  return { data: clientAnswer(temporalUi, view, beneath) };
}

const readOf =
  ({ temporal }: ApiDependencies, uid: string) =>
  async (): Promise<ClientView> =>
    found(await temporal.clients.view(uid), 'a client');

const created = contract({
  method: 'post',
  path: '/v1/clients',
  operationId: 'createClient',
  tags: ['clients'],
  summary: 'Register a client, or adopt the provider’s client of the same business (idempotent)',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateClient) },
  answers: { 202: json('Accepted. The provider decides on its service later.', ClientAnswer) },
  problems: [409, 422, 503],
});

export const createClient = endpoint(created, (dependencies) => async (c) => {
  const { temporal, clientDepth: depth } = dependencies;
  const body = c.req.valid('json');
  const { uid: named, connection, ...order } = body;
  const faults = [
    ...faultsIn(dependencies, { operation: 'createClient', request: order }),
    ...faultsOfOrder(order),
  ];
  const isRepeat = async (): Promise<boolean> =>
    named !== undefined && (await temporal.clients.view(named)) !== undefined;
  if (faults.length > 0 && !(await isRepeat())) throw wouldRefuse(dependencies, faults);
  const key = c.req.valid('header')['Idempotency-Key'];
  const by = c.get('principal');
  const uidOn = (connectionId: string): string =>
    named ?? uidFrom('client', { principal: by, key, of: connectionId });
  // A uid derived from the key already binds the key.
  const use = named === undefined ? undefined : keyUse(c, key, { uid: named, body });
  const started = await temporal.clients.start({ uidOn, connection, order, use, depth, by });
  const view = await watched(requestedByCaller(started, by), {
    read: () => temporal.clients.view(started.uid),
    isOver: isClientDecided,
    ...waitOf(dependencies, c, clientWorkflowId(started.uid)),
  });
  return c.json(await answerOf(dependencies, view), 202);
});

const read = contract({
  method: 'get',
  path: '/v1/clients/{uid}',
  operationId: 'getClient',
  tags: ['clients'],
  summary: 'Get a client',
  access: 'read',
  connection: 'client',
  request: { params: UidParams, query: WaitQuery },
  answers: { 200: json('The client.', ClientAnswer) },
  problems: [404, 503],
});

export const getClient = endpoint(read, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const { uid } = c.req.valid('param');
  const read = () => temporal.clients.view(uid);
  const view = await viewInTime({
    what: 'a client',
    read,
    isOver: isClientDecided,
    ...waitOf(dependencies, c, clientWorkflowId(uid)),
  });
  return c.json(await answerOf(dependencies, view), 200);
});

const changed = contract({
  method: 'patch',
  path: '/v1/clients/{uid}',
  operationId: 'updateClient',
  tags: ['clients'],
  summary: 'Update the names, address, website or contact of a client',
  access: 'write',
  connection: 'client',
  request: { params: UidParams, headers: KeyHeaders, body: bodyOf(UpdateClient) },
  answers: { 202: json('Accepted. `changes` shows the outcome later.', ClientAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const updateClient = endpoint(changed, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  const changes = c.req.valid('json');
  const faults = faultsOfChanges(changes);
  if (faults.length > 0) throw wouldRefuse(dependencies, faults);
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  const use = { key, uid, body: digestOf(changes) };
  await dependencies.temporal.clients.change(uid, { changes, use });
  return c.json(await answerOf(dependencies, await readOf(dependencies, uid)()), 202);
});

const lookedUp = contract({
  method: 'post',
  path: '/v1/clients/{uid}/look-up',
  operationId: 'lookUpClient',
  tags: ['clients'],
  summary: 'Look up a client at the provider now (idempotent)',
  access: 'write',
  connection: 'client',
  request: { params: UidParams, body: noBody },
  answers: { 202: json('The look-up is in progress. The client shows its result.', ClientAnswer) },
  problems: [404, 409, 429, 503],
});

export const lookUpClient = endpoint(lookedUp, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  await dependencies.temporal.clients.lookUp(uid);
  return c.json(await answerOf(dependencies, await readOf(dependencies, uid)()), 202);
});

const resolved = contract({
  method: 'post',
  path: '/v1/clients/{uid}/attention/{code}/resolution',
  operationId: 'resolveClientAttention',
  tags: ['clients'],
  summary: 'Resolve an attention flag of a client',
  access: 'operate',
  connection: 'client',
  request: { params: AttentionParams, headers: KeyHeaders, body: bodyOf(ResolveClientAttention) },
  answers: { 200: json('Resolved. The client continues as decided.', ClientAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const resolveClientAttention = endpoint(resolved, (dependencies) => async (c) => {
  const { uid, code } = c.req.valid('param');
  const { reason, decision, client_id: clientId } = c.req.valid('json');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  const resolution = { key, code, reason, decision, clientId, by: c.get('principal') };
  await dependencies.temporal.clients.resolveAttention(uid, resolution);
  return c.json(await answerOf(dependencies, await readOf(dependencies, uid)()), 200);
});
