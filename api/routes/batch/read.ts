import { z } from 'zod';
import { SteerBatch } from '../../../domain/batch/request.schema.js';
import type { BatchCommand } from '../../../domain/batch/rows.js';
import {
  BatchAnswer,
  BatchRowsAnswer,
  BatchesAnswer,
  batchAnswer,
  rowAnswer,
  rowsNoLongerKept,
} from './answer.schema.js';
import { batchWorkflowId } from '../../../workflows/batch/contract.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { nextPage } from '../links.js';
import { openCursor, readCursor, sealCursor, writeCursor } from '../../http/paging.js';
import { BatchesQuery } from '../../http/list-parameters.schema.js';
import { BatchRowsQuery, UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { isBatchOver, viewInTime, waitOf } from '../../http/wait.js';

const listed = contract({
  ...LIST,
  path: '/v1/batches',
  operationId: 'listBatches',
  tags: ['batches'],
  summary: 'List batches by pending event or attention flag',
  request: { query: BatchesQuery },
  answers: { 200: json(ONE_PAGE, BatchesAnswer) },
});

export const listBatches = endpoint(listed, (dependencies) => async (c) => {
  const read = dependencies.temporal.batches.list;
  const page = await answerOf(dependencies, 'batches', c.req.valid('query'), { read, answer: batchAnswer });
  return c.json(page, 200);
});

const read = contract({
  tags: ['batches'],
  connection: 'batch',
  method: 'get',
  path: '/v1/batches/{uid}',
  operationId: 'getBatch',
  summary: 'Get a batch and its progress',
  access: 'read',
  request: { params: UidParams, query: WaitQuery },
  answers: { 200: json('The batch.', BatchAnswer) },
  problems: [404, 503],
});

export const getBatch = endpoint(read, (dependencies) => async (c) => {
  const { temporal, temporalUi } = dependencies;
  const { uid } = c.req.valid('param');
  const read = () => temporal.batches.view(uid);
  const view = await viewInTime({
    what: 'a batch',
    read,
    isOver: isBatchOver,
    ...waitOf(dependencies, c, batchWorkflowId(uid)),
  });
  return c.json({ data: batchAnswer(temporalUi, view) }, 200);
});

const readRows = contract({
  tags: ['batches'],
  connection: 'batch',
  method: 'get',
  path: '/v1/batches/{uid}/rows',
  operationId: 'listBatchRows',
  summary: 'List the rows of a batch and their outcomes, in the order of the request',
  access: 'read',
  request: { params: UidParams, query: BatchRowsQuery },
  answers: { 200: json('A page of rows.', BatchRowsAnswer) },
  problems: [404, 503],
});

/** The index of the first row of a page. */
const From = z.int().min(0);

export const listBatchRows = endpoint(readRows, ({ temporal, sessionKeys }) => async (c) => {
  const { uid } = c.req.valid('param');
  const { cursor, ...query } = c.req.valid('query');
  const list = `batches/${uid}/rows`;
  const token = openCursor(sessionKeys, list, cursor);
  const from = token === undefined ? 0 : readCursor(From, token);
  const view = found(await temporal.batches.view(uid), 'a batch');
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
    answers: { 200: json('The batch with its new state.', BatchAnswer) },
    problems: [404, 409, 429, 503],
  });
  return endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
    const { uid } = c.req.valid('param');
    const { reason } = c.req.valid('json');
    await temporal.batches.steer(uid, { command, reason, by: c.get('principal') });
    const view = found(await temporal.batches.view(uid), 'a batch');
    return c.json({ data: batchAnswer(temporalUi, view) }, 200);
  });
}

export const steerBatch = [steering('pause'), steering('resumption'), steering('abandonment')];
