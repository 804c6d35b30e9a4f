// Float accounts: list, get, entries, statements, the acknowledgement of a broken chain of balances, and requested readings.
import { FLOAT_ACCOUNT_STATES } from '../../../domain/float/account.js';
import { AcknowledgeBreak, RequestReading } from '../../../domain/float/acknowledgement.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
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
  description: 'Lowers the flag `float_chain`. The break stays in `chain_breaks` and in the timeline.',
  access: 'operate',
  connection: 'float-account',
  request: { params: UidParams, body: bodyOf(AcknowledgeBreak) },
  answers: { 200: json('The float account.', FLOAT_ACCOUNT.one) },
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
    'Stores entries that are missing, and checks the balances from there. Until it ends, the account has `reading`, and a repeat changes nothing.',
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
    query: listQuery(FLOAT_ACCOUNT_STATES),
  }),
  getOf(FLOAT_ACCOUNT),
  listFloatEntries,
  getFloatStatement,
  acknowledgeFloatChain,
  requestFloatReading,
];
