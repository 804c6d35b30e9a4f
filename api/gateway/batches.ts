// Starts batches with all their rows, sends commands to them, and reads their rows.
import {
  chunksOf,
  refusedRow,
  sharedOut,
  type BatchKind,
  type BatchSteering,
  type Chunk,
  type RowOutcome,
  type RefusedRow,
  type RequestedRow,
  type RowView,
} from '../../domain/batch/rows.js';
import type { Repair } from '../../domain/batch/repair.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import {
  BATCH_WORKFLOW,
  batchWorkflowId,
  getBatch,
  rowsReceived,
  steerBatch,
  type BatchInput,
  type BatchView,
} from '../../workflows/batch/contract.js';
import { firstView } from '../../workflows/batch/view.js';
import {
  CHUNK_WORKFLOW,
  chunkWorkflowId,
  getRows,
  type ChunkEnd,
  type ChunkInput,
} from '../../workflows/batch-chunk/contract.js';
import { fairnessOf } from '../../workflows/contracts/every-workflow.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../../workflows/contracts/search-attributes.js';
import { ApiError, notFound } from '../http/problems/errors.js';
import { requestedByCaller, type Caller } from '../http/caller.js';
import { digestOf } from '../http/idempotency.js';
import type { ConnectionChoice } from './connection-choice.js';
import { findRepairRows, type RepairRows } from './repair-rows.js';
import { readsOf, type ResourceReads } from './resource.js';
import type { Calls } from './temporal/calls.js';
import { commandsOf } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import { startFirst } from './temporal/start.js';

export interface BatchStart {
  id: string;
  kind: BatchKind;
  /** Optional if there is only one connection. Rows for existing agreements may be on any connection if it is omitted. */
  connection: string | undefined;
  isDryRun: boolean;
  rows: readonly RequestedRow[];
  /** Only of a batch that repairs what the server has found. Then the request is compared, and not its rows. */
  repair?: Omit<Repair, 'found'> | undefined;
  /** The use of the caller's Idempotency-Key, if the request has a key besides the id. */
  use?: KeyUse | undefined;
  /** Who requests it. */
  caller: Caller;
}

interface RowsQuery {
  outcome?: RowOutcome | undefined;
  /** The index of the first row to consider for the page. */
  from: number;
  per_page: number;
}

interface RowsPage {
  rows: RowView[];
  /** Chunks before the end of this page that Temporal no longer stores: their rows cannot be read. */
  lost: Chunk[];
  /** The index of the first row of the next page. */
  next: number | undefined;
}

interface BatchesGateway extends ResourceReads<BatchView> {
  /** Finds the rows of repairs. */
  find: RepairRows;
  /** The batch of a repeated repair, unless its rows must be found again. Refuses a different request with the same id. */
  repaired: (requested: Omit<BatchStart, 'rows'>) => Promise<BatchView | undefined>;
  /** Starts a batch with all its rows, or returns it for a repeat. Refuses a different request with the same id. */
  start: (requested: BatchStart) => Promise<BatchView>;
  /** One page of rows, in the order of the request. */
  rows: (view: BatchView, query: RowsQuery) => Promise<RowsPage>;
  /** @throws ApiError `batch_over` */
  steer: (id: string, steering: BatchSteering) => Promise<void>;
}

export function createBatchesGateway(calls: Calls, choose: ConnectionChoice['choose']): BatchesGateway {
  const { view, list } = readsOf(calls, 'batch', getBatch);
  const { eachTime, assertOpen } = commandsOf(calls, 'batch');
  return {
    view,
    list,
    find: findRepairRows(calls.recorded),
    repaired: async (requested) => {
      const before = await view(requested.id);
      if (before === undefined) return undefined;
      const { connection } = requested;
      const connectionId = connection === undefined ? undefined : await choose(connection);
      const same = sameOrRefused(
        inputOf({ ...requested, rows: [] }, connectionId, []),
        before,
        requested.caller,
      );
      return same.state === 'receiving' && (await isOpen(calls, requested.id)) ? undefined : same;
    },
    rows: (of, query) => pageOf(calls, of, query),
    // A batch may be paused twice for the same reason.
    steer: async (id, steering) => assertOpen(await eachTime(id, steerBatch, steering)),
    start: async (requested) => {
      const { connection, kind, use } = requested;
      const connectionId =
        kind === 'agreements' || connection !== undefined ? await choose(connection) : undefined;
      const shares = sharedOut(requested.rows, ({ row }) => row);
      const input = inputOf(requested, connectionId, shares);
      const { row } = await calls.recorded.before({ resource: 'batch', uid: requested.id });
      const found = await withKey(calls, use, 'batch', async () =>
        row === undefined && (await isStarted(calls, input))
          ? firstView(input, new Date().toISOString())
          : sameOrRefused(input, await view(requested.id), requested.caller),
      );
      if (found.state !== 'receiving' || (row !== undefined && !(await isOpen(calls, requested.id))))
        return found;
      // The filter of an interrupted repair finds other rows now. It becomes `incomplete`, and starts none.
      if (found.repair?.found !== input.repair?.found) return found;
      await handOver(calls, input, shares);
      return { ...found, state: 'running' };
    },
  };
}

function inputOf(
  { id, kind, isDryRun, caller, rows, repair }: BatchStart,
  connectionId: string | undefined,
  shares: readonly RequestedRow[][],
): BatchInput {
  const content = rows.map(({ row }) => row);
  // Who has approved a repair does not make it another one.
  const { by: _, ...request } = repair ?? {};
  const compared = repair === undefined ? { rows: content } : { request };
  return {
    id,
    kind,
    ...(connectionId !== undefined && { connectionId }),
    isDryRun,
    sizes: shares.map(({ length }) => length),
    digest: digestOf({ kind, connectionId, isDryRun, ...compared }),
    requestedBy: caller.principal,
    ...(repair !== undefined && { repair: { ...repair, found: digestOf(content) } }),
  };
}

/** False if the id is in use, or was used before. */
async function isStarted(calls: Calls, input: BatchInput): Promise<boolean> {
  const { id, kind, sizes } = input;
  const summary = `Batch of ${sizes.reduce((sum, size) => sum + size, 0)} ${kind}`;
  const options = { workflowId: batchWorkflowId(id), ...optionsOf(input, summary, 'rows') };
  return (await startFirst(calls, { workflow: BATCH_WORKFLOW, options })) !== undefined;
}

/** A batch that was terminated stays in the state `receiving`. Its rows are not started again. */
const isOpen = async (calls: Calls, id: string): Promise<boolean> =>
  (await calls.describe(batchWorkflowId(id)))?.isOpen === true;

const optionsOf = (input: BatchInput | ChunkInput, staticSummary: string, awaiting: 'rows' | 'batch') => ({
  args: [input],
  staticSummary,
  priority: fairnessOf(input),
  typedSearchAttributes: [
    { key: AWAITING, value: awaiting },
    { key: AWAITING_SINCE, value: new Date() },
    ...(input.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: input.connectionId }]),
  ],
});

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

/** A refused row already has its outcome, so its content is not passed on. The records have judged the rows of a repair. */
async function startChunk(
  calls: Calls,
  { id, kind, connectionId, isDryRun, requestedBy, repair }: BatchInput,
  { n, first, rows }: { n: number; first: number; rows: readonly RequestedRow[] },
): Promise<void> {
  const at = new Date().toISOString();
  const passed = repair !== undefined && isDryRun ? ({ outcome: 'passes', at } as const) : null;
  const input: ChunkInput = {
    ...{ batch: id, n, first, kind, connectionId, isDryRun, requestedBy },
    ...(repair !== undefined && { repair }),
    rows: rows.map(({ row, refusals }) =>
      row.kind !== 'refused' && refusals.length === 0 ? row : withoutContent(row),
    ),
    answers: rows.map(({ refusals }) => (refusals.length === 0 ? passed : refusedRow(refusals, at))),
  };
  const options = {
    workflowId: chunkWorkflowId(id, n),
    ...optionsOf(input, `Rows of the batch ${id}`, 'batch'),
  };
  await startFirst(calls, { workflow: CHUNK_WORKFLOW, options });
}

/** The row of a repair keeps what its batch shows. */
const withoutContent = (row: RequestedRow['row']): RefusedRow => ({
  ...{ kind: 'refused', uid: row.uid },
  ...('amount' in row && { amount: row.amount }),
  ...('resource' in row && { resource: row.resource }),
});

/** @throws ApiError `idempotency_conflict` */
function sameOrRefused({ id, digest }: BatchInput, found: BatchView | undefined, caller: Caller): BatchView {
  if (found === undefined) throw notFound('a batch');
  if (requestedByCaller(found, caller, '/id').digest === digest) return found;
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

const isOf = ({ answer }: RowView, outcome: RowOutcome | undefined): boolean =>
  outcome === undefined || (answer?.outcome ?? 'waiting') === outcome;
