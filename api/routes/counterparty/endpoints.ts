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

/** @throws ApiError `provider_would_refuse`, with each place: nothing is begun then. */
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
      'Expected a counterparty that the provider takes; nothing was sent.',
      {
        errors,
        providerVersion,
      },
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
  summary:
    'Verify the accounts of a party, and register it once nothing stands in the way; repeats are harmless',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateCounterparty) },
  answers: { 202: json('Accepted, now or before; its accounts are verified first.', CounterpartyAnswer) },
  problems: [409, 422, 503],
});

export const createCounterparty = endpoint(created, (dependencies) => async (c) => {
  const { temporal, clock } = dependencies;
  const body = c.req.valid('json');
  const { uid: named, connection, payer, ...requested } = body;
  await assertTakeable(dependencies, body);
  const key = c.req.valid('header')['Idempotency-Key'];
  const principal = c.get('principal');
  const on = (connectionId: string) => {
    const uid = named ?? uidFrom('counterparty', { principal, key, of: connectionId });
    return { uid, order: withAccountUids(requested, { connectionId, uid }) };
  };
  // A uid that is derived from the key binds it by itself.
  const use = named === undefined ? undefined : keyUse(c, key, { uid: named, body });
  const started = await temporal.counterparties.start({ on, connection, payer, use, by: principal });
  const view = await watched(requestedByCaller(started, principal), {
    read: () => temporal.counterparties.view(started.uid),
    isOver: isCounterpartyDecided,
    ...waitOf(c),
    clock,
  });
  return c.json(answerOf(dependencies, view, c.get('apiKey')), 202);
});

const read = contract({
  method: 'get',
  path: '/v1/counterparties/{uid}',
  operationId: 'getCounterparty',
  tags: ['counterparties'],
  summary: 'Where a counterparty stands: its accounts with their uids, and what their verification came to',
  access: 'read',
  connection: 'counterparty',
  request: { params: UidParams, query: WaitQuery },
  answers: { 200: json('The counterparty.', CounterpartyAnswer) },
  problems: [404, 503],
});

export const getCounterparty = endpoint(read, (dependencies) => async (c) => {
  const { temporal, clock } = dependencies;
  const { uid } = c.req.valid('param');
  const read = () => temporal.counterparties.view(uid);
  const view = await viewInTime({
    what: 'a counterparty',
    read,
    isOver: isCounterpartyDecided,
    ...waitOf(c),
    clock,
  });
  return c.json(answerOf(dependencies, view, c.get('apiKey')), 200);
});

/** What persons say of it, one row each; the body as callers send it becomes the counterparty's workflow receives. */
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
    summary: 'Correct the identity or an account of a counterparty that is stopped; it then continues',
    access: 'write',
    body: CorrectCounterparty.transform(({ payment_account_uid: accountUid, reason, ...to }) => ({
      ...{ kind: 'correction' as const, accountUid, reason, to },
    })),
  },
  {
    path: 'acceptance',
    operationId: 'acceptCloseMatch',
    summary: 'Accept an account whose verification is a close match',
    access: 'operate',
    body: AcceptCloseMatch.transform(({ payment_account_uid: accountUid, reason }) => ({
      ...{ kind: 'acceptance' as const, accountUid, reason },
    })),
  },
  {
    path: 'withdrawal',
    operationId: 'withdrawCounterparty',
    summary: 'Give up a counterparty that the provider does not have yet',
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
    answers: { 202: json('Taken, now or before; it goes on from there.', CounterpartyAnswer) },
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
  summary: 'Lower a flag of a counterparty once an operator has dealt with it, with a reason',
  access: 'operate',
  connection: 'counterparty',
  request: { params: AttentionParams, headers: KeyHeaders, body: bodyOf(ResolveAttention) },
  answers: { 200: json('Lowered, now or before; what was decided is done from now on.', CounterpartyAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const resolveCounterpartyAttention = endpoint(resolved, (dependencies) => async (c) => {
  const { uid, code } = c.req.valid('param');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  const resolution = { key, code, ...c.req.valid('json'), by: c.get('principal') };
  await dependencies.temporal.counterparties.resolveAttention(uid, resolution);
  return c.json(answerOf(dependencies, await readOf(dependencies, uid)(), c.get('apiKey')), 200);
});
