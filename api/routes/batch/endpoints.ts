import { z } from 'zod';
import { SteerBatch } from '../../../domain/batch/request.schema.js';
import type { BatchCommand } from '../../../domain/batch/rows.js';
import { BATCH_STATES } from '../../../workflows/batch/contract.js';
import { BATCH, BatchRowsAnswer, rowAnswer, rowsNoLongerKept } from './answer.schema.js';
import { createBatch, identifyAgreements } from './create.js';
import { READ, bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { nextPage } from '../links.js';
import { openCursor, readCursor, sealCursor, writeCursor } from '../../http/paging.js';
import { listQuery } from '../../http/list-parameters.schema.js';
import { BatchRowsQuery, UidParams } from '../../http/parameters.schema.js';
import { answerNow, getOf, listOf } from '../resource.js';

const readRows = contract({
  tags: ['batches'],
  connection: 'batch',
  ...READ,
  path: '/v1/batches/{uid}/rows',
  operationId: 'listBatchRows',
  summary: 'List the rows of a batch and their outcomes, in the order of the request',
  request: { params: UidParams, query: BatchRowsQuery },
  answers: { 200: json('A page of rows.', BatchRowsAnswer) },
});

/** The index of the first row of a page. */
const From = z.int().min(0);

const listBatchRows = endpoint(readRows, ({ temporal, sessionKeys }) => async (c) => {
  const { uid } = c.req.valid('param');
  const { cursor, ...query } = c.req.valid('query');
  const list = `batches/${uid}/rows`;
  const token = openCursor(sessionKeys, list, cursor);
  const from = token === undefined ? 0 : readCursor(From, token);
  const view = found(await temporal.batches.view(uid), BATCH.what);
  const { rows, lost, next } = await temporal.batches.rows(view, { ...query, from });
  const sealed = sealCursor(sessionKeys, list, next === undefined ? undefined : writeCursor(next));
  const links = nextPage(`/v1/${list}`, query, sealed);
  const data = rows.map((row) => rowAnswer(view, row));
  return c.json({ data, no_longer_kept: lost.map(rowsNoLongerKept), links }, 200);
});

const COMMANDS: Readonly<Record<BatchCommand, { operationId: string; summary: string }>> = {
  pause: {
    operationId: 'pauseBatch',
    summary: 'Pause a batch',
  },
  resumption: { operationId: 'resumeBatch', summary: 'Resume a paused batch' },
  abandonment: {
    operationId: 'abandonBatch',
    summary: 'Abandon a batch and its unstarted rows',
  },
};

function steering(command: BatchCommand): Endpoint {
  const stated = contract({
    tags: ['batches'],
    connection: 'batch',
    ...COMMANDS[command],
    method: 'post',
    path: `/v1/batches/{uid}/${command}`,
    access: 'operate',
    description:
      'Started rows always continue. After a pause or abandonment, at most 20 more rows start. A repeat changes nothing and keeps the first reason.',
    request: { params: UidParams, body: bodyOf(SteerBatch) },
    answers: { 200: json('The batch with its new state.', BATCH.one) },
    problems: [404, 409, 410, 429, 503],
  });
  return endpoint(stated, (dependencies) => async (c) => {
    const { uid } = c.req.valid('param');
    const { reason } = c.req.valid('json');
    await dependencies.temporal.batches.steer(uid, { command, reason, by: c.get('principal') });
    return c.json(await answerNow(BATCH, dependencies, c, uid), 200);
  });
}

export const batchEndpoints: readonly Endpoint[] = [
  createBatch,
  identifyAgreements,
  listOf(BATCH, {
    summary: 'List batches by pending event or attention flag',
    query: listQuery(BATCH_STATES),
  }),
  getOf(BATCH, { tags: ['batches'], summary: 'Get a batch and its progress' }),
  listBatchRows,
  steering('pause'),
  steering('resumption'),
  steering('abandonment'),
];
