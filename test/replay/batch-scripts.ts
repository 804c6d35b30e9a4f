import { randomUUID } from 'node:crypto';
import {
  BATCH_WORKFLOW,
  batchWorkflowId,
  getBatch,
  rowsReceived,
  steerBatch,
  type BatchView,
} from '../../workflows/batch/contract.js';
import { CHUNK_WORKFLOW, chunkWorkflowId } from '../../workflows/batch-chunk/contract.js';
import { eventually, type Temporal } from '../support/temporal.js';
import { nothingNew } from '../support/workflows/provider.js';
import { handedOver, runOf } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { BatchCommand, BatchRow, RowOutcome, RowAnswer } from '../../domain/batch/rows.js';
import type { batch } from '../../workflows/batch/workflow.js';
import type { batchChunk } from '../../workflows/batch-chunk/workflow.js';
import type { Scripts, Script } from './script.js';

interface Lived {
  handle: WorkflowHandle<typeof batch>;
  runs: WorkflowHandle<typeof batchChunk>[];
}

const answerOf = (outcome: RowOutcome): RowAnswer => ({ outcome, at: new Date().toISOString() });
const answered =
  (outcome: RowOutcome): Activities['startRows'] =>
  (task) =>
    Promise.resolve({ answers: task.rows.map(() => answerOf(outcome)) });
const watched: Activities['watchRows'] = (task) => Promise.resolve(task.rows.map(() => answerOf('done')));

const aRow = (uid: string): BatchRow => ({
  kind: 'identifications',
  uid,
  ask: { initiator: { client_id: 'c' } },
});
const OF_ALL = {
  kind: 'identifications',
  connectionId: 'acme',
  isDryRun: false,
  requestedBy: 'key-1',
} as const;

async function started({ client, taskQueue }: Temporal): Promise<Lived> {
  const id = `bat-${randomUUID()}`;
  const startRows = (n: number) =>
    client.workflow.start<typeof batchChunk>(CHUNK_WORKFLOW, {
      taskQueue,
      workflowId: chunkWorkflowId(id, n),
      args: [{ ...OF_ALL, batch: id, n, first: n, rows: [aRow(`agr-${n}`)] }],
    });
  const handle = await client.workflow.start<typeof batch>(BATCH_WORKFLOW, {
    taskQueue,
    workflowId: batchWorkflowId(id),
    args: [{ ...OF_ALL, id, sizes: [1, 1], digest: 'digest' }],
  });
  return { handle, runs: [await startRows(0), await startRows(1)] };
}

const until = (handle: WorkflowHandle, isIt: (view: BatchView) => boolean): Promise<BatchView> =>
  eventually(() => handle.query(getBatch), isIt);

const steered = ({ handle }: Lived, command: BatchCommand): Promise<void> =>
  handle.executeUpdate(steerBatch, { args: [{ command, reason: 'as agreed', by: 'key-1' }] });

const ending = (
  activities: Partial<Activities>,
  live: (lived: Lived) => Promise<unknown> = ({ handle }) => handle.signal(rowsReceived),
): Script => ({
  activities,
  live: async (temporal) => {
    const lived = await started(temporal);
    await live(lived);
    const all = [lived.handle, ...lived.runs];
    await Promise.all(all.map((handle) => handle.result()));
    return all;
  },
});

export const BATCH_SCRIPTS: Scripts = {
  'batch-abandoned': ending({}, async (lived) => {
    await steered(lived, 'pause');
    await lived.handle.signal(rowsReceived);
    await steered(lived, 'abandonment');
  }),
  'batch-and-rows-continued-as-new': (() => {
    let isHandedOver = false;
    const watchRows: Activities['watchRows'] = (task) =>
      isHandedOver ? watched(task) : Promise.reject(nothingNew(50));
    return {
      activities: { startRows: answered('started'), watchRows },
      live: async (temporal) => {
        const { handle, runs } = await started(temporal);
        await handle.signal(rowsReceived);
        await until(handle, ({ counts }) => counts.started !== undefined);
        const batches = await handedOver(temporal, handle);
        const [first, second] = runs;
        if (first === undefined || second === undefined) throw new Error('expected two chunks');
        const ofRows = await handedOver(temporal, first);
        isHandedOver = true;
        await Promise.all([batches[1], ofRows[1], second].map((one) => one.result()));
        return [...batches, ...ofRows, await runOf(temporal, second)];
      },
    };
  })(),
};
