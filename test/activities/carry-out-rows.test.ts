import { MockActivityEnvironment } from '@temporalio/testing';
import { WorkflowNotFoundError } from '@temporalio/common';
import { expect, test } from 'vitest';
import { rowActivities } from '../../activities/carry-out-rows.js';
import { getDirection } from '../../workflows/batch/contract.js';
import type { StartedRows } from '../../activities/batch/rows.js';
import type { Direction, PaymentRow } from '../../domain/batch/rows.js';

const aRow = (uid: string): PaymentRow => ({
  ...{ kind: 'payments', uid },
  order: { agreement_uid: `agr-${uid}`, amount: 100, priority: 'unattended' },
});

function aWorker(direction: () => Direction) {
  const notFound = new WorkflowNotFoundError('none', 'agreement', undefined);
  const query = ({ name }: { name: string }) =>
    name === getDirection.name ? Promise.resolve(direction()) : Promise.reject(notFound);
  const temporal = { workflow: { getHandle: () => ({ query }) } };
  const sweep = { everyMs: 0, adopts: false, paceMs: 1, resumeMs: 0 };
  const deps = { temporal, taskQueue: 'q', now: Date.now, sweep } as never;
  return rowActivities(deps, { acquire: () => Promise.resolve(), list: () => [] } as never);
}

test('no chunk starts another row after its batch is paused', async () => {
  let direction: Direction = { course: 'going', version: 1 };
  let reads = 0;
  const { startRows } = aWorker(() => {
    reads += 1;
    if (reads > 30) direction = { course: 'paused', version: 2 };
    return direction;
  });
  const chunks = Array.from({ length: 20 }, (_, n) =>
    Array.from({ length: 20 }, (_row, index) => aRow(`${n}-${index}`)),
  );
  const started = await Promise.all(
    chunks.map((rows) => {
      const task = { batch: 'b', isDryRun: false, by: 'k', rows, blocked: rows.map(() => null) };
      return new MockActivityEnvironment().run<[typeof task], StartedRows, typeof startRows>(startRows, task);
    }),
  );
  expect(started.flatMap(({ answers }) => answers)).toHaveLength(30);
  expect(started.map((one) => one.direction)).toEqual(chunks.map(() => direction));
});
