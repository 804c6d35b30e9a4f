// Float accounts: list, get, entries, statements, the acknowledgement of a broken chain of balances, and requested readings.
import { FLOAT_ACCOUNT_STATES } from '../../../domain/float/account.js';
import { AcknowledgeBreak, RequestReading } from '../../../domain/float/acknowledgement.schema.js';
import { bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { listQuery } from '../../http/list-parameters.schema.js';
import { UidParams } from '../../http/parameters.schema.js';
import { answerOf, getOf, listOf } from '../resource.js';
import { FLOAT_ACCOUNT } from './answer.schema.js';
import { listFloatEntries } from './entries.js';
import { getFloatStatement } from './statement.js';

const acknowledged = contract({
  method: 'post',
  path: '/v1/float-accounts/{uid}/acknowledgement',
  operationId: 'acknowledgeFloatChain',
  tags: ['float accounts'],
  summary: 'Acknowledge that the balances of a float account do not follow from each other (idempotent)',
  description:
    'Call this after you have compared the entries of `chain_breaks` with the provider’s statement, and found why they do not follow each other. ' +
    'It lowers the flag `float_chain` (`attention.resolved` is sent) and ends the readings that look for the missing entry. It changes no entry, and sends nothing to the provider. ' +
    'The break stays in `chain_breaks` and in the timeline, and `chain` stays `broken`. A repeat changes nothing while the flag is down.',
  task: 'float.md#acknowledge-a-broken-chain',
  access: 'operate',
  connection: 'float-account',
  request: { params: UidParams, body: bodyOf(AcknowledgeBreak) },
  answers: { 200: json('The float account. Its flag `float_chain` is down.', FLOAT_ACCOUNT.one) },
  problems: [404, 429, 503],
});

const acknowledgeFloatChain = endpoint(acknowledged, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  const { reason } = c.req.valid('json');
  const { floatAccounts } = dependencies.temporal;
  const view = await floatAccounts.acknowledge(uid, { reason, by: c.get('principal') });
  return c.json(await answerOf(FLOAT_ACCOUNT, dependencies, c, view), 200);
});

const requested = contract({
  method: 'post',
  path: '/v1/float-accounts/{uid}/reading',
  operationId: 'requestFloatReading',
  tags: ['float accounts'],
  summary: 'Read the entries of a float account again (idempotent)',
  description:
    'Call this if an entry is missing here that the provider lists. ' +
    'A worker reads the entries from the provider again, stores those that are missing, and checks the balances from there. ' +
    'The answer comes at once: poll `GET /v1/float-accounts/{uid}` until `reading` is null. ' +
    'A repeat changes nothing while a reading of the same time is in progress; an earlier `from` extends it.',
  task: 'float.md#read-entries-again',
  access: 'operate',
  connection: 'float-account',
  request: { params: UidParams, body: bodyOf(RequestReading) },
  answers: { 202: json('The float account. The reading is in progress.', FLOAT_ACCOUNT.one) },
  problems: [404, 409, 429, 503],
});

const requestFloatReading = endpoint(requested, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  const { floatAccounts } = dependencies.temporal;
  const request = { ...c.req.valid('json'), by: c.get('principal') };
  const view = await floatAccounts.requestReading(uid, request);
  return c.json(await answerOf(FLOAT_ACCOUNT, dependencies, c, view), 202);
});

export const floatAccountEndpoints: readonly Endpoint[] = [
  listOf(FLOAT_ACCOUNT, {
    summary: 'List the followed float accounts by state or attention flag',
    description:
      'Use it to find the `uid` of an account, or the accounts with a broken chain of balances (`attention=float_chain`). Sweeps find the accounts of each connection at the provider.',
    task: 'float.md#read-float-accounts',
    query: listQuery(FLOAT_ACCOUNT_STATES),
  }),
  getOf(FLOAT_ACCOUNT, {
    description:
      'Shows the newest stored balance, how many entries are stored, and whether their balances follow from each other. It reads nothing from the provider: workers read the entries at least every hour, and `POST /v1/float-accounts/{uid}/reading` requests a reading now.',
    task: 'float.md#read-float-accounts',
    answered: 'The float account as its workflow has it now.',
  }),
  listFloatEntries,
  getFloatStatement,
  acknowledgeFloatChain,
  requestFloatReading,
];
