// Starts batches with all their rows, sends commands to them, and reads their rows.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { chunksOf, refusedRow, sharedOut, sumOf } from '../../domain/batch/rows.js';
import type {
  BatchKind,
  BatchSteering,
  Chunk,
  Outcome,
  RequestedRow,
  RowView,
} from '../../domain/batch/rows.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import {
  BATCH_WORKFLOW,
  batchWorkflowId,
  getBatch,
  rowsReceived,
  steerBatch,
} from '../../workflows/batch/contract.js';
import type { BatchEnd, BatchInput, BatchView } from '../../workflows/batch/contract.js';
import { CHUNK_WORKFLOW, chunkWorkflowId, getRows } from '../../workflows/batch-chunk/contract.js';
import type { ChunkEnd, ChunkInput } from '../../workflows/batch-chunk/contract.js';
import { fairnessOf } from '../../workflows/contracts/every-workflow.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../../workflows/contracts/search-attributes.js';
import { ApiError, notFound } from '../http/problems/errors.js';
import { digestOf, requestedByCaller } from '../http/idempotency.js';
import type { RowsRequest } from '../../records/lists.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { commanding } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import type { ListPage } from './records.js';

export interface BatchStart {
  id: string;
  kind: BatchKind;
  /** Optional if there is only one connection. Rows for existing agreements may be on any connection if it is omitted. */
  connection: string | undefined;
  isDryRun: boolean;
  rows: readonly RequestedRow[];
  /** The use of the caller's Idempotency-Key, if the request has a key besides the id. */
  use?: KeyUse | undefined;
  /** The principal that requests it. */
  by: string;
}

interface RowsQuery {
  outcome?: Outcome | undefined;
  /** The index of the first row to consider for the page. */
  from: number;
  per_page: number;
}

export interface RowsPage {
  rows: RowView[];
  /** Chunks before the end of this page that Temporal no longer stores: their rows cannot be read. */
  lost: Chunk[];
  /** The index of the first row of the next page. */
  next: number | undefined;
}

export interface BatchesGateway {
  /** Starts a batch with all its rows, or returns it for a repeat. Refuses a different request with the same id. */
  start: (requested: BatchStart) => Promise<BatchView>;
  view: (id: string) => Promise<BatchView | undefined>;
  /** One page of rows, in the order of the request. */
  rows: (view: BatchView, query: RowsQuery) => Promise<RowsPage>;
  list: (request: RowsRequest) => Promise<ListPage<BatchView>>;
  /** @throws ApiError `batch_over` */
  steer: (id: string, steering: BatchSteering) => Promise<void>;
}

export function createBatchesGateway(
  calls: Calls,
  connectionFor: (id: string | undefined) => Promise<string>,
): BatchesGateway {
  const ofWorkflow = oneAtATime((id) =>
    calls.read(batchWorkflowId(id), getBatch, ({ carried: _, ...left }: BatchEnd): BatchView => left),
  );
  const view: BatchesGateway['view'] = (id) =>
    calls.recorded.view({ resource: 'batch', uid: id, workflowId: batchWorkflowId(id) }, () =>
      ofWorkflow(id),
    );
  const command = commanding(calls, {
    workflowId: batchWorkflowId,
    what: 'a batch',
    otherwise: 'batch_over',
  });
  return {
    view,
    rows: (of, query) => pageOf(calls, of, query),
    list: (request) => calls.recorded.list('batch', request),
    // No `request`: a batch may be paused twice for the same reason, and Temporal must not treat that as a duplicate.
    steer: async (id, steering) => {
      const ended = await command(id, `${steerBatch.name}/${digestOf(steering)}`, undefined, (handle) =>
        handle.executeUpdate(steerBatch, { args: [steering] }),
      );
      if (ended !== undefined)
        throw new ApiError('batch_over', 'This batch has ended: every row has its outcome.');
    },
    start: async (requested) => {
      const { connection, kind, use } = requested;
      const connectionId =
        kind === 'agreements' || connection !== undefined ? await connectionFor(connection) : undefined;
      const shares = sharedOut(requested.rows, ({ row }) => row);
      const input = inputOf(requested, connectionId, shares);
      const found = await withKey(calls, use, 'batch', async () =>
        (await isStarted(calls, input)) ? startedView(input) : sameOrRefused(input, await view(requested.id)),
      );
      if (found.state !== 'receiving') return found;
      await handOver(calls, input, shares);
      return { ...found, state: 'running' };
    },
  };
}

const inputOf = (
  { id, kind, isDryRun, by, rows }: BatchStart,
  connectionId: string | undefined,
  shares: readonly RequestedRow[][],
): BatchInput => ({
  id,
  kind,
  ...(connectionId !== undefined && { connectionId }),
  isDryRun,
  sizes: shares.map(({ length }) => length),
  digest: digestOf({ kind, connectionId, isDryRun, rows: rows.map(({ row }) => row) }),
  requestedBy: by,
});

const attributesOf = (connectionId: string | undefined, awaiting: 'rows' | 'batch') => [
  { key: AWAITING, value: awaiting },
  { key: AWAITING_SINCE, value: new Date() },
  ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
];

/** False if the id is in use, or was used before. */
async function isStarted({ client, short, taskQueue }: Calls, input: BatchInput): Promise<boolean> {
  const { id, kind, sizes, connectionId } = input;
  const count = sizes.reduce((sum, size) => sum + size, 0);
  return startedAnew(() =>
    short(() =>
      client.workflow.start(BATCH_WORKFLOW, {
        workflowId: batchWorkflowId(id),
        taskQueue,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        staticSummary: `Batch of ${count} ${kind}`,
        priority: fairnessOf(input),
        typedSearchAttributes: attributesOf(connectionId, 'rows'),
      }),
    ),
  );
}

async function startedAnew(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** How many chunks are started concurrently. */
const AT_ONCE = 4;

/** Starts the chunks that no earlier request has started, then signals the batch that it has all rows. */
async function handOver(calls: Calls, input: BatchInput, shares: readonly RequestedRow[][]): Promise<void> {
  const { client, short } = calls;
  const left = chunksOf(input.sizes).entries();
  const startChunks = async (): Promise<void> => {
    for (const [n, { first }] of left) await startChunk(calls, input, { n, first, rows: shares[n] ?? [] });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startChunks));
  await short(() => client.workflow.getHandle(batchWorkflowId(input.id)).signal(rowsReceived));
}

/** A refused row already has its outcome, so its content is not passed on. */
async function startChunk(
  { client, short, taskQueue }: Calls,
  { id, kind, connectionId, isDryRun, requestedBy }: BatchInput,
  { n, first, rows }: { n: number; first: number; rows: readonly RequestedRow[] },
): Promise<void> {
  const at = new Date().toISOString();
  const input: ChunkInput = {
    ...{ batch: id, n, first, kind, connectionId, isDryRun, requestedBy },
    rows: rows.map(({ row, refusals }) =>
      row.kind !== 'refused' && refusals.length === 0 ? row : { kind: 'refused', uid: row.uid },
    ),
    answers: rows.map(({ refusals }) => (refusals.length === 0 ? null : refusedRow(refusals, at))),
  };
  await startedAnew(() =>
    short(() =>
      client.workflow.start(CHUNK_WORKFLOW, {
        workflowId: chunkWorkflowId(id, n),
        taskQueue,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        staticSummary: `Rows of the batch ${id}`,
        priority: fairnessOf(input),
        typedSearchAttributes: attributesOf(connectionId, 'batch'),
      }),
    ),
  );
}

/** The view of a batch that has just been started, built without a query. */
function startedView({ sizes, ...request }: BatchInput): BatchView {
  const since = new Date().toISOString();
  const chunks = chunksOf(sizes);
  const counts = sumOf(chunks.map((chunk) => chunk.counts));
  return {
    ...{ ...request, state: 'receiving', requestedAt: since, chunks, counts },
    ...{ commands: [], awaiting: { what: 'rows', since }, attention: [] },
  };
}

/** @throws ApiError `idempotency_conflict` */
function sameOrRefused({ id, digest, requestedBy }: BatchInput, found: BatchView | undefined): BatchView {
  if (found === undefined) throw notFound('a batch');
  if (requestedByCaller(found, requestedBy, '/id').digest === digest) return found;
  throw new ApiError('idempotency_conflict', `Batch ${id} already exists with different rows or options.`, {
    errors: [{ pointer: '/id', detail: 'expected the rows and options of the first request with this id' }],
  });
}

/** Reads only the chunks whose counts contain the outcome. */
async function pageOf(
  calls: Calls,
  { id, chunks }: BatchView,
  { outcome, from, per_page: size }: RowsQuery,
): Promise<RowsPage> {
  const rows: RowView[] = [];
  const lost: Chunk[] = [];
  for (const [n, chunk] of chunks.entries()) {
    const isBehind = chunk.first + chunk.size <= from;
    if (isBehind || (outcome !== undefined && (chunk.counts[outcome] ?? 0) === 0)) continue;
    const found = await calls.read(chunkWorkflowId(id, n), getRows, (end: ChunkEnd) => end.rows);
    if (found === undefined) lost.push(chunk);
    else rows.push(...found.filter((row) => row.index >= from && isOf(row, outcome)));
    // One row more than the page size shows that there is a next page.
    if (rows.length > size) break;
  }
  return { rows: rows.slice(0, size), lost, next: rows[size]?.index };
}

const isOf = ({ answer }: RowView, outcome: Outcome | undefined): boolean =>
  outcome === undefined || (answer?.outcome ?? 'waiting') === outcome;
