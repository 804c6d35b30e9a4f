// What messages of the first task of a later run change is recorded, as in any other task.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { batchWorkflowId } from '../../../workflows/batch/contract.js';
import { newBatch } from '../../../workflows/batch/state.js';
import { carry } from '../../../workflows/contracts/upgrade.js';
import { stored } from '../../support/nothing-recorded.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import type { ChunkReport } from '../../../domain/batch/rows.js';
import type { RecordBatch } from '../../../domain/records/batch.js';

const temporal = useTemporal();
const AT = '2026-10-01T01:00:00.000Z';
const FLAG = { code: 'conflict', since: AT, detail: 'd', next: 'n' };
const REPORT: ChunkReport = { n: 0, counts: { done: 1 }, blocked: { count: 0, oldest: [] }, isOver: true };

test.each([
  ['raiseFlag', FLAG, 'attention/conflict'],
  ['chunkReport', REPORT, 'state/done'],
])('%s', async (signal, argument, expected) => {
  const id = `bat-${randomUUID()}`;
  const request = {
    id,
    kind: 'identifications',
    isDryRun: false,
    digest: 'd',
    requestedBy: 'key-1',
  } as const;
  const state = { ...newBatch({ ...request, sizes: [1] }, AT), reception: 'received' as const };
  const entries: string[] = [];
  const write = (batch: RecordBatch) => {
    entries.push(...batch.entries.map(({ kind, name }) => `${kind}/${name}`));
    return stored(batch);
  };
  await temporal.run({ write }, async () => {
    await temporal.client.workflow.signalWithStart('batch', {
      workflowId: batchWorkflowId(id),
      taskQueue: temporal.taskQueue,
      args: [
        { ...request, sizes: [1], carried: carry({ ...state, records: { identity: 'i', follows: 5 } }) },
      ],
      signal,
      signalArgs: [argument],
    });
    expect(
      await eventually(
        () => Promise.resolve(entries),
        (found) => found.length > 0,
      ),
    ).toContain(expected);
  });
});
