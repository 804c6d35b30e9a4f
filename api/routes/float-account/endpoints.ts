// Float accounts: list, get, and the acknowledgement of a broken chain of balances.
import { AcknowledgeBreak } from '../../../domain/float/acknowledgement.schema.js';
import type { FloatAccountView } from '../../../workflows/float-account/contract.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { FloatAccountsQuery } from '../../http/list-parameters.schema.js';
import { UidParams } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import type { TemporalUi } from '../links.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { FloatAccountAnswer, FloatAccountsAnswer, floatAccountAnswer } from './answer.schema.js';

export const OF_FLOAT_ACCOUNT = {
  method: 'get',
  access: 'read',
  connection: 'float-account',
  problems: [404, 503],
} as const;
export const FLOAT_ACCOUNT = 'a float account';

const listed = contract({
  ...LIST,
  path: '/v1/float-accounts',
  operationId: 'listFloatAccounts',
  tags: ['float accounts'],
  summary: 'List the followed float accounts by state or attention flag',
  request: { query: FloatAccountsQuery },
  answers: { 200: json(ONE_PAGE, FloatAccountsAnswer) },
});

const got = contract({
  ...OF_FLOAT_ACCOUNT,
  path: '/v1/float-accounts/{uid}',
  operationId: 'getFloatAccount',
  tags: ['float accounts'],
  summary: 'Get a float account',
  request: { params: UidParams },
  answers: { 200: json('The float account.', FloatAccountAnswer) },
});

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
  answers: { 200: json('The float account.', FloatAccountAnswer) },
  problems: [404, 429, 503],
});

export const listFloatAccounts = endpoint(listed, (dependencies) => async (c) => {
  const read = dependencies.temporal.floatAccounts.list;
  const answer = (ui: TemporalUi, view: FloatAccountView) => floatAccountAnswer(ui, view);
  const query = c.req.valid('query');
  return c.json(await answerOf(dependencies, 'float-accounts', query, { read, answer }), 200);
});

export const getFloatAccount = endpoint(got, ({ temporal, temporalUi }) => async (c) => {
  const view = found(await temporal.floatAccounts.view(c.req.valid('param').uid), FLOAT_ACCOUNT);
  return c.json({ data: floatAccountAnswer(temporalUi, view) }, 200);
});

export const acknowledgeFloatChain = endpoint(acknowledged, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  const { reason } = c.req.valid('json');
  const view = await temporal.floatAccounts.acknowledge(uid, { reason, by: c.get('principal') });
  return c.json({ data: floatAccountAnswer(temporalUi, found(view, FLOAT_ACCOUNT)) }, 200);
});
