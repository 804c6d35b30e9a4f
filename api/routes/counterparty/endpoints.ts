import type { z } from 'zod';
import { merchantCategoryOf } from '../../../domain/client/may-initiate.js';
import { faultsOfCounterparty, isHighRisk, registrationOf } from '../../../domain/counterparty/lifecycle.js';
import {
  AcceptCloseMatch,
  CorrectCounterparty,
  CreateCounterparty,
  WithdrawCounterparty,
} from '../../../domain/counterparty/request.schema.js';
import type { ChangeRequest } from '../../../workflows/counterparty/contract.js';
import { COUNTERPARTY, COUNTERPARTY_VIEW_STATES } from './answer.schema.js';
import { bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { listQuery } from '../../http/list-parameters.schema.js';
import { callerOf } from '../../http/caller.js';
import { digestOf, keyUse, scopedKey, uidFrom, withAccountUids } from '../../http/idempotency.js';
import { assertSendable, wouldRefuse } from '../provider-check.js';
import { IdempotencyHeaders, KeyHeaders, UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { withinBinding } from '../within-binding.js';
import { answerInTime, answerNow, getOf, listOf, resolveAttentionOf } from '../resource.js';
import type { Task } from '../resource-descriptions.js';

type Requested = z.output<typeof CreateCounterparty>;

/** @throws ApiError `provider_would_refuse` with all faults, before anything is started. */
async function assertTakeable(dependencies: ApiDependencies, requested: Requested): Promise<void> {
  const { clock, temporal, highRisk } = dependencies;
  const { client_id: clientId, payer } = requested;
  const client = clientId === undefined ? undefined : await temporal.initiators.client(clientId);
  const category = clientId === undefined ? highRisk.primary : client && merchantCategoryOf(client);
  const errors = faultsOfCounterparty(requested, {
    now: new Date(clock.now()).toISOString(),
    hasPayer: payer !== undefined,
    isHighRisk: isHighRisk(category, highRisk.codes),
  });
  if (errors.length > 0) throw wouldRefuse(dependencies, errors, 'counterparty');
  const { payment_accounts } = withAccountUids(requested, { connectionId: '', uid: '' });
  const request = registrationOf(requested, payment_accounts);
  await assertSendable(dependencies, { operation: 'createCounterparty', request });
}

const created = contract({
  method: 'post',
  path: '/v1/counterparties',
  operationId: 'createCounterparty',
  tags: ['counterparties'],
  summary: 'Create a counterparty: verify its accounts, then register it (idempotent)',
  description:
    'Call this to verify the accounts of a payer before an agreement names them. It needs version 20260901 of the payments API. The worker verifies each account by its method, and then registers the counterparty at the provider. ' +
    'If an account cannot be verified, nothing is sent, and the state is `unverified`. ' +
    'Listen for `counterparty.registered`, `counterparty.unverified` and `counterparty.refused`, or read `GET /v1/counterparties/{uid}`. ' +
    'In state `registered`, an agreement may name an account as `debtor.payment_account_uid`. ' +
    'A repeat with the same `uid` or `Idempotency-Key` and the same body returns the same counterparty.',
  task: 'onboarding.md#verify-a-counterparty',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateCounterparty) },
  answers: { 202: json('Accepted. The accounts are verified first.', COUNTERPARTY.one) },
  problems: [409, 410, 422, 503],
});

const createCounterparty = endpoint(created, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const body = c.req.valid('json');
  const { uid: named, connection, payer, ...requested } = body;
  await assertTakeable(withinBinding(dependencies, callerOf(c)), body);
  const key = c.req.valid('header')['Idempotency-Key'];
  const caller = callerOf(c);
  const { principal } = caller;
  const on = (connectionId: string) => {
    const uid = named ?? uidFrom('counterparty', { principal, key, of: connectionId });
    return { uid, order: withAccountUids(requested, { connectionId, uid }) };
  };
  const use = keyUse(c, key, { uid: named, body });
  const first = await temporal.counterparties.start({ on, connection, payer, use, caller });
  return c.json(await answerInTime(COUNTERPARTY, dependencies, c, first.uid, { first }), 202);
});

/** The commands of a counterparty. `body` parses the caller's body into the workflow's request. */
interface Said {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  task: Task;
  access: 'write' | 'operate';
  body: z.ZodType<Pick<ChangeRequest, 'kind' | 'accountUid' | 'to' | 'reason'>>;
}

/** Of every command. */
const REPEAT =
  'While the provider may have the counterparty, the request is refused with `counterparty_sent`. A repeat with the same `Idempotency-Key` changes nothing.';

const SAID: readonly Said[] = [
  {
    path: 'correction',
    operationId: 'correctCounterparty',
    summary: 'Correct the identity or an account of a stopped counterparty, and continue',
    description:
      'Call this in state `unverified` or `refused`, with what `next` of an account or of `failure` says. A corrected account is verified again, and then the counterparty is sent. ' +
      'Listen for `counterparty.registered`. An onboarding that waits for it continues automatically.',
    task: 'onboarding.md#correct-a-counterparty',
    access: 'write',
    body: CorrectCounterparty.transform(({ payment_account_uid: accountUid, reason, ...to }) => ({
      ...{ kind: 'correction' as const, accountUid, reason, to },
    })),
  },
  {
    path: 'acceptance',
    operationId: 'acceptCloseMatch',
    summary: 'Accept the close match of an account',
    description:
      'Call this after a person has confirmed that an account with a similar name (`close_match`) belongs to the counterparty. The account then counts as verified, and the ' +
      'counterparty is sent once all accounts are. Without a close match, the request is refused with `close_match_needed`.',
    task: 'onboarding.md#accept-a-close-match',
    access: 'operate',
    body: AcceptCloseMatch.transform(({ payment_account_uid: accountUid, reason }) => ({
      ...{ kind: 'acceptance' as const, accountUid, reason },
    })),
  },
  {
    path: 'withdrawal',
    operationId: 'withdrawCounterparty',
    summary: 'Withdraw a counterparty that was not sent to the provider yet',
    description:
      'Gives up a counterparty that you no longer need and that the provider does not have. It ends as `failed`, with the event `counterparty.failed`, and nothing is sent. ' +
      'To register the payer later, create another counterparty.',
    task: 'onboarding.md#withdraw-a-counterparty',
    access: 'write',
    body: WithdrawCounterparty.transform(({ reason }) => ({ kind: 'withdrawal' as const, reason })),
  },
];

function said({ path, body: schema, description, ...words }: Said): Endpoint {
  const stated = contract({
    method: 'post',
    path: `/v1/counterparties/{uid}/${path}`,
    tags: ['counterparties'],
    ...words,
    description: `${description} ${REPEAT}`,
    connection: 'counterparty',
    request: { params: UidParams, headers: KeyHeaders, body: bodyOf(schema) },
    answers: { 202: json('Accepted. The counterparty continues.', COUNTERPARTY.one) },
    problems: [404, 409, 410, 422, 429, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { uid } = c.req.valid('param');
    const body = c.req.valid('json');
    const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
    const use = { key, uid, body: digestOf(body) };
    await dependencies.temporal.counterparties.change(uid, { ...body, by: c.get('principal'), use });
    return c.json(await answerNow(COUNTERPARTY, dependencies, c, uid), 202);
  });
}

export const counterpartyEndpoints: readonly Endpoint[] = [
  createCounterparty,
  listOf(COUNTERPARTY, {
    summary: 'List counterparties by pending event or attention flag',
    description:
      'Use this to find counterparties, for example those that need a correction (`state=unverified`).',
    query: listQuery(COUNTERPARTY_VIEW_STATES),
  }),
  getOf(COUNTERPARTY, { summary: 'Get a counterparty, its accounts and their verification' }),
  ...SAID.map(said),
  resolveAttentionOf(COUNTERPARTY),
];
