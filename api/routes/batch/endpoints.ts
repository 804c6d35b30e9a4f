import { z } from 'zod';
import { SteerBatch } from '../../../domain/batch/request.schema.js';
import type { BatchCommand } from '../../../domain/batch/rows.js';
import { BATCH_STATES } from '../../../workflows/batch/contract.js';
import { BATCH, BatchRowsAnswer, rowAnswer, rowsNoLongerKept } from './answer.schema.js';
import { createBatch, identifyAgreements } from './create.js';
import { resolveFlags, retryPayments } from './repair.js';
import { READ, bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
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
  description:
    'Returns each row with its outcome, and with the reasons if it was refused. Correct a refused row, and send it in another batch under the same `uid`. ' +
    'Filter with `outcome` to see only the rows that need you: `refused`, `failed`, `blocked` or `parked`.',
  task: 'operating.md#read-a-batch',
  request: { params: UidParams, query: BatchRowsQuery },
  answers: { 200: json('A page of rows, which starts with the lowest index.', BatchRowsAnswer) },
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

const COMMANDS: Readonly<
  Record<BatchCommand, { operationId: string; summary: string; description: string }>
> = {
  pause: {
    operationId: 'pauseBatch',
    summary: 'Pause a batch',
    description:
      'Stops a batch from starting more rows, for example because its rows have errors. Resume it with `POST /v1/batches/{uid}/resumption`. ',
  },
  resumption: {
    operationId: 'resumeBatch',
    summary: 'Resume a paused batch',
    description: 'Continues a paused batch with its waiting rows. ',
  },
  abandonment: {
    operationId: 'abandonBatch',
    summary: 'Abandon a batch and its unstarted rows',
    description:
      'Ends a batch for good: its waiting rows get the outcome `abandoned` and are never started. You can send them in another batch. ',
  },
};

function steering(command: BatchCommand): Endpoint {
  const { description, ...words } = COMMANDS[command];
  const stated = contract({
    tags: ['batches'],
    connection: 'batch',
    ...words,
    method: 'post',
    path: `/v1/batches/{uid}/${command}`,
    access: 'operate',
    description: `${description}Started rows always continue. A pause or abandonment still lets rows start that are starting at that moment, at most five for each worker. A repeat changes nothing and keeps the first reason.`,
    task: 'operating.md#control-a-batch',
    request: { params: UidParams, body: bodyOf(SteerBatch) },
    answers: { 200: json('The batch as it is now. `state` shows the command.', BATCH.one) },
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
  retryPayments,
  resolveFlags,
  listOf(BATCH, {
    summary: 'List batches by pending event or attention flag',
    description: 'Use this to find batches, for example those that still run (`state=running`).',
    query: listQuery(BATCH_STATES),
  }),
  getOf(BATCH, { tags: ['batches'], summary: 'Get a batch and its progress' }),
  listBatchRows,
  steering('pause'),
  steering('resumption'),
  steering('abandonment'),
];
