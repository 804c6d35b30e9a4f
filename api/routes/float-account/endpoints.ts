// Float accounts: list, get, entries, and the acknowledgement of a broken chain of balances.
import { z } from 'zod';
import { AcknowledgeBreak } from '../../../domain/float/acknowledgement.schema.js';
import type { FloatAccountView } from '../../../workflows/float-account/contract.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { FloatAccountsQuery, FloatEntriesQuery } from '../../http/list-parameters.schema.js';
import { openCursor, readCursor, sealCursor, writeCursor } from '../../http/paging.js';
import { UidParams } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { nextPage } from '../links.js';
import type { TemporalUi } from '../links.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import {
  FloatAccountAnswer,
  FloatAccountsAnswer,
  FloatEntriesAnswer,
  floatAccountAnswer,
  floatEntryAnswer,
} from './answer.schema.js';

const ONE = {
  method: 'get',
  access: 'read',
  connection: 'float-account',
  problems: [404, 503],
} as const;
const WHAT = 'a float account';

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
  ...ONE,
  path: '/v1/float-accounts/{uid}',
  operationId: 'getFloatAccount',
  tags: ['float accounts'],
  summary: 'Get a float account',
  request: { params: UidParams },
  answers: { 200: json('The float account.', FloatAccountAnswer) },
});

const entriesListed = contract({
  ...ONE,
  path: '/v1/float-accounts/{uid}/entries',
  operationId: 'listFloatEntries',
  tags: ['float accounts'],
  summary: 'List the credits and debits of a float account by time, type or amount',
  description: 'Newest first. Entries of the same instant are in the order of their ids, as at the provider.',
  request: { params: UidParams, query: FloatEntriesQuery },
  answers: { 200: json('A page of entries, newest first.', FloatEntriesAnswer) },
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
  const view = found(await temporal.floatAccounts.view(c.req.valid('param').uid), WHAT);
  return c.json({ data: floatAccountAnswer(temporalUi, view) }, 200);
});

/** The last entry of a page. */
const Place = z.object({ at: z.string(), id: z.string() });

export const listFloatEntries = endpoint(entriesListed, ({ temporal, keyring }) => async (c) => {
  const { uid: accountUid } = c.req.valid('param');
  const { cursor, per_page: limit, ...query } = c.req.valid('query');
  const { from, until, type, amount_min: amountFrom, amount_max: amountUntil } = query;
  const purpose = `float-entries/${accountUid}`;
  const place = openCursor(keyring, purpose, cursor);
  found(await temporal.floatAccounts.view(accountUid), WHAT);
  const entries = await temporal.floatAccounts.entries({
    accountUid,
    filter: { from, until, type, amountFrom, amountUntil },
    before: place === undefined ? undefined : readCursor(Place, place),
    limit: limit + 1,
  });
  const page = entries.slice(0, limit);
  const last = entries.length > limit ? page.at(-1) : undefined;
  const next = sealCursor(keyring, purpose, last && writeCursor({ at: last.at, id: last.id }));
  const links = nextPage(`/v1/float-accounts/${accountUid}/entries`, { ...query, per_page: limit }, next);
  return c.json({ data: page.map(floatEntryAnswer), links }, 200);
});

export const acknowledgeFloatChain = endpoint(acknowledged, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  const { reason } = c.req.valid('json');
  const view = await temporal.floatAccounts.acknowledge(uid, { reason, by: c.get('principal') });
  return c.json({ data: floatAccountAnswer(temporalUi, found(view, WHAT)) }, 200);
});
