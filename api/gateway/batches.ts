// What the API asks of batches: started with all their rows, steered, and read row by row.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { runsOf, sharedOut, sumOf } from '../../domain/batch/rows.js';
import type { BatchKind, BatchRow, BatchWord, Outcome, RowView } from '../../domain/batch/rows.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import {
  BATCH_WORKFLOW,
  batchWorkflowId,
  getBatch,
  rowsReceived,
  steerBatch,
} from '../../workflows/batch/contract.js';
import type { BatchEnd, BatchInput, BatchView } from '../../workflows/batch/contract.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../../workflows/entity/search-attributes.js';
import { ROWS_WORKFLOW, getRows, rowsWorkflowId } from '../../workflows/rows/contract.js';
import type { RowsEnd, RowsInput, RowsView } from '../../workflows/rows/contract.js';
import { ApiError, notFound } from '../http/problems/errors.js';
import { digestOf } from '../http/idempotency.js';
import type { ListQuery } from '../http/parameters.schema.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { commanding } from './temporal/commands.js';
import { bindKey } from './temporal/key-binding.js';
import { LISTINGS, listRuns } from './temporal/lists.js';
import type { ListPage, ListedBatch } from './temporal/lists.js';

export interface BatchStart {
  id: string;
  kind: BatchKind;
  /** Left out, the only connection is meant where agreements are to be started; any, of agreements that are there. */
  connection: string | undefined;
  isDryRun: boolean;
  rows: readonly BatchRow[];
  /** The caller's key, where there was one beside the id. */
  use?: KeyUse | undefined;
  /** The id of the API key that it is asked for with. */
  by: string;
}

interface RowsQuery {
  outcome?: Outcome | undefined;
  /** The index of the first row that may be on the page. */
  from: number;
  per_page: number;
}

export interface BatchesGateway {
  /** Starts it with all its rows, or finds that this very batch was started before. Refuses another one under the same id. */
  start: (requested: BatchStart) => Promise<BatchView>;
  view: (id: string) => Promise<BatchView | undefined>;
  /** One page of its rows, in their order; `next` is where the next one begins. */
  rows: (view: BatchView, query: RowsQuery) => Promise<{ rows: RowView[]; next: number | undefined }>;
  list: (query: ListQuery<never>) => Promise<ListPage<ListedBatch>>;
  /** @throws ApiError `batch_over` */
  steer: (id: string, word: BatchWord) => Promise<void>;
}

export function createBatchesGateway(
  calls: Calls,
  connectionFor: (id: string | undefined) => Promise<string>,
): BatchesGateway {
  const view = oneAtATime((id) =>
    calls.read(batchWorkflowId(id), getBatch, ({ carried: _, ...left }: BatchEnd): BatchView => left),
  );
  const command = commanding(calls, {
    workflowId: batchWorkflowId,
    what: 'a batch',
    otherwise: 'batch_over',
  });
  return {
    view,
    rows: (of, query) => pageOf(calls, of, query),
    list: (query) => listRuns(calls, LISTINGS.batches, query),
    // A batch may be paused for the same reason twice: Temporal must not take that for a repeat.
    steer: async (id, word) => {
      const ended = await command(id, `${steerBatch.name}/${digestOf(word)}`, undefined, (handle) =>
        handle.executeUpdate(steerBatch, { args: [word] }),
      );
      if (ended !== undefined)
        throw new ApiError('batch_over', 'This batch is over: every row has its answer.');
    },
    start: async (requested) => {
      const { connection, kind, use } = requested;
      const connectionId =
        kind === 'agreements' || connection !== undefined ? await connectionFor(connection) : undefined;
      await bindKey(calls, use, 'batch');
      const shares = sharedOut(requested.rows);
      const input = inputOf(requested, connectionId, shares);
      const found = (await isStarted(calls, input))
        ? startedView(input)
        : sameOrRefused(input, await view(requested.id));
      if (found.state !== 'receiving') return found;
      await handOver(calls, input, shares);
      return { ...found, state: 'running' };
    },
  };
}

const inputOf = (
  { id, kind, isDryRun, by, rows }: BatchStart,
  connectionId: string | undefined,
  shares: readonly BatchRow[][],
): BatchInput => ({
  id,
  kind,
  ...(connectionId !== undefined && { connectionId }),
  ...(isDryRun && { isDryRun }),
  sizes: shares.map(({ length }) => length),
  digest: digestOf({ kind, connectionId, isDryRun, rows }),
  requestedBy: by,
});

const attributesOf = (connectionId: string | undefined, awaiting: 'rows' | 'batch') => [
  { key: AWAITING, value: awaiting },
  { key: AWAITING_SINCE, value: new Date() },
  ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
];

/** False where there is, or was, one of that id. */
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
        staticSummary: `batch of ${count} ${kind}`,
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

/** So many runs of rows are begun at once. */
const AT_ONCE = 4;

/** Each run is begun with its rows, whatever a request before this one had handed over; then it is signalled to the batch that all are there. */
async function handOver(calls: Calls, input: BatchInput, shares: readonly BatchRow[][]): Promise<void> {
  const { client, short, taskQueue } = calls;
  const { id, kind, connectionId, isDryRun, requestedBy } = input;
  const left = shares.entries();
  let first = 0;
  const oneAfterTheOther = async (): Promise<void> => {
    for (const [n, rows] of left) {
      const args: [RowsInput] = [{ batch: id, n, first, kind, connectionId, isDryRun, requestedBy, rows }];
      first += rows.length;
      await startedAnew(() =>
        short(() =>
          client.workflow.start(ROWS_WORKFLOW, {
            workflowId: rowsWorkflowId(id, n),
            taskQueue,
            args,
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            workflowIdConflictPolicy: 'FAIL',
            staticSummary: `rows of the batch ${id}`,
            typedSearchAttributes: attributesOf(connectionId, 'batch'),
          }),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
  await short(() => client.workflow.getHandle(batchWorkflowId(id)).signal(rowsReceived));
}

/** What is true of a batch that was begun a moment ago, without asking its workflow. */
function startedView({ sizes, isDryRun, ...input }: BatchInput): BatchView {
  const since = new Date().toISOString();
  const runs = runsOf(sizes);
  return {
    ...input,
    state: 'receiving',
    isDryRun: isDryRun === true,
    requestedAt: since,
    runs,
    counts: sumOf(runs.map(({ counts }) => counts)),
    words: [],
    awaiting: { what: 'rows', since },
    attention: [],
  };
}

/** @throws ApiError `idempotency_conflict` */
function sameOrRefused({ id, digest }: BatchInput, found: BatchView | undefined): BatchView {
  if (found === undefined) throw notFound('a batch');
  if (found.digest === digest) return found;
  throw new ApiError('idempotency_conflict', `Batch ${id} exists already, with other rows.`, {
    errors: [{ pointer: '/id', detail: 'expected what the batch with this id was started with' }],
  });
}

/** Only the runs are read that have such rows. */
async function pageOf(
  calls: Calls,
  { id, runs }: BatchView,
  { outcome, from, per_page: size }: RowsQuery,
): Promise<{ rows: RowView[]; next: number | undefined }> {
  const rows: RowView[] = [];
  for (const [n, run] of runs.entries()) {
    const isBehind = run.first + run.size <= from;
    if (isBehind || (outcome !== undefined && (run.counts[outcome] ?? 0) === 0)) continue;
    const view = await calls.read(rowsWorkflowId(id, n), getRows, ({ rows: left }: RowsEnd): RowsView => ({
      rows: left,
    }));
    rows.push(...(view?.rows ?? []).filter((row) => row.index >= from && isOf(row, outcome)));
    // One more than the page has says that there is a next one.
    if (rows.length > size) break;
  }
  return { rows: rows.slice(0, size), next: rows[size]?.index };
}

const isOf = ({ answer }: RowView, outcome: Outcome | undefined): boolean =>
  outcome === undefined || (answer?.outcome ?? 'waiting') === outcome;
