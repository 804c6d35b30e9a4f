import type { z } from 'zod';
import { ResolveAttention } from '../../../domain/agreement/action.schema.js';
import { merchantCategoryOf } from '../../../domain/client/may-initiate.js';
import { faultsOfCounterparty, isHighRisk, registrationOf } from '../../../domain/counterparty/lifecycle.js';
import {
  AcceptCloseMatch,
  CorrectCounterparty,
  CreateCounterparty,
  WithdrawCounterparty,
} from '../../../domain/counterparty/request.schema.js';
import type { ChangeRequest, CounterpartyView } from '../../../workflows/counterparty/contract.js';
import { CounterpartyAnswer, counterpartyAnswer } from './answer.schema.js';
import { counterpartyWorkflowId } from '../../../workflows/counterparty/contract.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { ApiError, found } from '../../http/problems/errors.js';
import {
  digestOf,
  keyUse,
  requestedByCaller,
  scopedKey,
  uidFrom,
  withAccountUids,
} from '../../http/idempotency.js';
import type { ApiKey } from '../../http/api-keys.js';
import { assertSendable } from '../provider-check.js';
import {
  AttentionParams,
  IdempotencyHeaders,
  KeyHeaders,
  UidParams,
  WaitQuery,
} from '../../http/parameters.schema.js';
import { isCounterpartyDecided, viewInTime, waitOf, watched } from '../../http/wait.js';

const answerOf = ({ temporalUi }: ApiDependencies, view: CounterpartyView, key: ApiKey | undefined) => ({
  data: counterpartyAnswer(temporalUi, view, key?.scopes.includes('operate') === true),
});

const readOf =
  ({ temporal }: ApiDependencies, uid: string) =>
  async (): Promise<CounterpartyView> =>
    found(await temporal.counterparties.view(uid), 'a counterparty');

type Requested = z.output<typeof CreateCounterparty>;

/** @throws ApiError `provider_would_refuse` with all faults, before anything is started. */
async function assertTakeable(dependencies: ApiDependencies, requested: Requested): Promise<void> {
  const { clock, temporal, highRisk, providerVersion } = dependencies;
  const { client_id: clientId, payer } = requested;
  const client = clientId === undefined ? undefined : await temporal.initiators.client(clientId);
  const category = clientId === undefined ? highRisk.primary : client && merchantCategoryOf(client);
  const errors = faultsOfCounterparty(requested, {
    now: new Date(clock.now()).toISOString(),
    hasPayer: payer !== undefined,
    isHighRisk: isHighRisk(category, highRisk.codes),
  });
  if (errors.length > 0)
    throw new ApiError(
      'provider_would_refuse',
      'The provider would refuse this counterparty. Nothing was sent. Correct the fields in `errors`.',
      { errors, providerVersion },
    );
  const { payment_accounts } = withAccountUids(requested, { connectionId: '', uid: '' });
  const request = registrationOf(requested, payment_accounts);
  await assertSendable(dependencies, { operation: 'createCounterparty', request }, () =>
    Promise.resolve(false),
  );
}

const created = contract({
  method: 'post',
  path: '/v1/counterparties',
  operationId: 'createCounterparty',
  tags: ['counterparties'],
  summary: 'Create a counterparty: verify its accounts, then register it (idempotent)',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateCounterparty) },
  answers: { 202: json('Accepted. The accounts are verified first.', CounterpartyAnswer) },
  problems: [409, 422, 503],
});

export const createCounterparty = endpoint(created, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const body = c.req.valid('json');
  const { uid: named, connection, payer, ...requested } = body;
  await assertTakeable(dependencies, body);
  const key = c.req.valid('header')['Idempotency-Key'];
  const principal = c.get('principal');
  const on = (connectionId: string) => {
    const uid = named ?? uidFrom('counterparty', { principal, key, of: connectionId });
    return { uid, order: withAccountUids(requested, { connectionId, uid }) };
  };
  // A uid derived from the key already binds the key.
  const use = named === undefined ? undefined : keyUse(c, key, { uid: named, body });
  const started = await temporal.counterparties.start({ on, connection, payer, use, by: principal });
  const view = await watched(requestedByCaller(started, principal), {
    read: () => temporal.counterparties.view(started.uid),
    isOver: isCounterpartyDecided,
    ...waitOf(dependencies, c, counterpartyWorkflowId(started.uid)),
  });
  return c.json(answerOf(dependencies, view, c.get('apiKey')), 202);
});

const read = contract({
  method: 'get',
  path: '/v1/counterparties/{uid}',
  operationId: 'getCounterparty',
  tags: ['counterparties'],
  summary: 'Get a counterparty, its accounts and their verification',
  access: 'read',
  connection: 'counterparty',
  request: { params: UidParams, query: WaitQuery },
  answers: { 200: json('The counterparty.', CounterpartyAnswer) },
  problems: [404, 503],
});

export const getCounterparty = endpoint(read, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const { uid } = c.req.valid('param');
  const read = () => temporal.counterparties.view(uid);
  const view = await viewInTime({
    what: 'a counterparty',
    read,
    isOver: isCounterpartyDecided,
    ...waitOf(dependencies, c, counterpartyWorkflowId(uid)),
  });
  return c.json(answerOf(dependencies, view, c.get('apiKey')), 200);
});

/** The commands of a counterparty. `body` parses the caller's body into the workflow's request. */
interface Said {
  path: string;
  operationId: string;
  summary: string;
  access: 'write' | 'operate';
  body: z.ZodType<Pick<ChangeRequest, 'kind' | 'accountUid' | 'to' | 'reason'>>;
}

const SAID: readonly Said[] = [
  {
    path: 'correction',
    operationId: 'correctCounterparty',
    summary: 'Correct the identity or an account of a stopped counterparty, and continue',
    access: 'write',
    body: CorrectCounterparty.transform(({ payment_account_uid: accountUid, reason, ...to }) => ({
      ...{ kind: 'correction' as const, accountUid, reason, to },
    })),
  },
  {
    path: 'acceptance',
    operationId: 'acceptCloseMatch',
    summary: 'Accept the close match of an account',
    access: 'operate',
    body: AcceptCloseMatch.transform(({ payment_account_uid: accountUid, reason }) => ({
      ...{ kind: 'acceptance' as const, accountUid, reason },
    })),
  },
  {
    path: 'withdrawal',
    operationId: 'withdrawCounterparty',
    summary: 'Withdraw a counterparty that was not sent to the provider yet',
    access: 'write',
    body: WithdrawCounterparty.transform(({ reason }) => ({ kind: 'withdrawal' as const, reason })),
  },
];

function said({ path, body: schema, ...words }: Said): Endpoint {
  const stated = contract({
    method: 'post',
    path: `/v1/counterparties/{uid}/${path}`,
    tags: ['counterparties'],
    ...words,
    connection: 'counterparty',
    request: { params: UidParams, headers: KeyHeaders, body: bodyOf(schema) },
    answers: { 202: json('Accepted. The counterparty continues.', CounterpartyAnswer) },
    problems: [404, 409, 422, 429, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { uid } = c.req.valid('param');
    const body = c.req.valid('json');
    const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
    const use = { key, uid, body: digestOf(body) };
    await dependencies.temporal.counterparties.change(uid, { ...body, by: c.get('principal'), use });
    return c.json(answerOf(dependencies, await readOf(dependencies, uid)(), c.get('apiKey')), 202);
  });
}

export const changeCounterparty = SAID.map(said);

const resolved = contract({
  method: 'post',
  path: '/v1/counterparties/{uid}/attention/{code}/resolution',
  operationId: 'resolveCounterpartyAttention',
  tags: ['counterparties'],
  summary: 'Resolve an attention flag of a counterparty',
  access: 'operate',
  connection: 'counterparty',
  request: { params: AttentionParams, headers: KeyHeaders, body: bodyOf(ResolveAttention) },
  answers: { 200: json('Resolved. The counterparty continues as decided.', CounterpartyAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const resolveCounterpartyAttention = endpoint(resolved, (dependencies) => async (c) => {
  const { uid, code } = c.req.valid('param');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  const resolution = { key, code, ...c.req.valid('json'), by: c.get('principal') };
  await dependencies.temporal.counterparties.resolveAttention(uid, resolution);
  return c.json(answerOf(dependencies, await readOf(dependencies, uid)(), c.get('apiKey')), 200);
});
