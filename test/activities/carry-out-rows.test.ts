import { MockActivityEnvironment } from '@temporalio/testing';
import { WorkflowNotFoundError } from '@temporalio/common';
import { expect, onTestFinished, test, vi } from 'vitest';
import { rowActivities } from '../../activities/carry-out-rows.js';
import { getDirection } from '../../workflows/batch/contract.js';
import { judgePayment } from '../../workflows/agreement/contract.js';
import { NO_RECORDS } from '../support/no-records.js';
import type { StartedRows } from '../../activities/batch/rows.js';
import type { Direction, PaymentRow, RowAnswer } from '../../domain/batch/rows.js';

const aRow = (uid: string, agreement = `agr-${uid}`): PaymentRow => ({
  ...{ kind: 'payments', uid },
  order: { agreement_uid: agreement, amount: 100, priority: 'unattended' },
});
const GOING: Direction = { course: 'going', version: 1 };
const taskOf = (rows: PaymentRow[], blocked: RowAnswer['awaiting'][] = []) => ({
  ...{ batch: 'b', isDryRun: false, by: 'k', rows },
  blocked: rows.map((_, index) => blocked[index] ?? null),
});

interface Run {
  query: (name: string) => Promise<unknown>;
  update?: (uid: string) => Promise<unknown>;
}
function aWorker(direction: () => Direction, runOf: (workflowId: string) => Run, listed: object[] = []) {
  const getHandle = (workflowId: string) => ({
    query: ({ name }: { name: string }) =>
      name === getDirection.name ? Promise.resolve(direction()) : runOf(workflowId).query(name),
    executeUpdate: (_: unknown, { args: [{ uid }] }: { args: [{ uid: string }] }) =>
      runOf(workflowId).update?.(uid),
  });
  const temporal = {
    ...{ workflow: { getHandle }, withDeadline: (_: number, work: () => unknown) => work() },
  };
  const sweep = { everyMs: 0, adopts: false, paceMs: 1, resumeMs: 0 };
  const deps = { temporal, taskQueue: 'q', now: Date.now, sweep, records: NO_RECORDS } as never;
  const { startRows, watchRows } = rowActivities(deps, { list: () => listed } as never);
  const run = <Task, Answer>(activity: (task: Task) => Promise<Answer>, task: Task) =>
    new MockActivityEnvironment().run<[Task], Answer, (task: Task) => Promise<Answer>>(activity, task);
  return {
    start: (rows: PaymentRow[]): Promise<StartedRows> => run(startRows, taskOf(rows)),
    watch: (rows: PaymentRow[], unanswered: string[], blocked?: RowAnswer['awaiting'][]) =>
      run(watchRows, { ...taskOf(rows, blocked), unanswered, isBrief: false }),
  };
}

test('no chunk starts another row after its batch is paused', async () => {
  let direction = GOING;
  let reads = 0;
  const notFound = new WorkflowNotFoundError('none', 'agreement', undefined);
  const { start } = aWorker(
    () => {
      reads += 1;
      if (reads > 30) direction = { course: 'paused', version: 2 };
      return direction;
    },
    () => ({ query: () => Promise.reject(notFound) }),
  );
  const chunks = Array.from({ length: 20 }, (_, n) =>
    Array.from({ length: 20 }, (_row, index) => aRow(`${n}-${index}`)),
  );
  const started = await Promise.all(chunks.map(start));
  expect(started.flatMap(({ answers }) => answers)).toHaveLength(30);
  expect(started.map((one) => one.direction)).toEqual(chunks.map(() => direction));
});

/** @param broken the run of the agreement `broken`, until it is undefined. */
function withBroken(broken: Partial<Run> | undefined) {
  const runs = { broken };
  const fine: Run = { query: () => Promise.resolve({}), update: () => Promise.resolve({}) };
  const runOf = (id: string): Run => (id === 'agreement/broken' ? { ...fine, ...runs.broken } : fine);
  return { ...aWorker(() => GOING, runOf), runs };
}
const unreplayable = (name: string) =>
  name === judgePayment.name
    ? Promise.reject(new Error('[TMPRL1100] Nondeterminism error'))
    : Promise.resolve({});

test('a row whose agreement fails its query is blocked, and started again once the agreement answers', async () => {
  const { start, watch, runs } = withBroken({ query: unreplayable });
  const rows = [aRow('bad', 'broken'), aRow('good')];
  const { answers } = await start(rows);
  expect(answers).toMatchObject([
    { outcome: 'blocked', isUnanswered: true, awaiting: 'operator', refusals: [{ code: 'unanswered' }] },
    { outcome: 'started' },
  ]);
  await expect(watch(rows, ['bad'], ['operator'])).rejects.toMatchObject({ type: 'nothing_new' });
  runs.broken = undefined;
  expect(await watch(rows, ['bad'], ['operator'])).toMatchObject([{ outcome: 'started' }, null]);
});

test('five updates without an answer give their slots back, and their rows are never refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { start } = withBroken({ update: () => new Promise(() => undefined) });
  const silent = Array.from({ length: 5 }, (_, n) => start([aRow(`bad-${n}`, 'broken')]));
  const other = start([aRow('good')]);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await other).toMatchObject({ answers: [{ outcome: 'started' }] });
  for (const { answers } of await Promise.all(silent))
    expect(answers).toMatchObject([{ isUnanswered: true }]);
});

test('a started payment that cannot be read is blocked once, and does not hide the news of others', async () => {
  const attributes = {
    get: ({ name }: { name: string }) => (name === 'PaymentState' ? 'failed' : undefined),
  };
  const listed = ['bad', 'good'].map((uid) => ({
    ...{ workflowId: `payment/${uid}`, status: { name: 'COMPLETED' }, startTime: new Date() },
    typedSearchAttributes: attributes,
  }));
  const view = { state: 'failed', awaiting: { what: 'nothing' }, attention: [] };
  const { watch } = aWorker(
    () => GOING,
    (id) => ({
      query: () => (id === 'payment/bad' ? Promise.reject(new Error('x')) : Promise.resolve(view)),
    }),
    listed,
  );
  const rows = [aRow('bad'), aRow('good')];
  const news = await watch(rows, []);
  expect(news).toMatchObject([{ outcome: 'blocked', state: 'failed' }, { outcome: 'failed' }]);
  expect(news[0]).not.toHaveProperty('isUnanswered');
  await expect(watch(rows, [], ['operator'])).rejects.toMatchObject({ message: /1 of 2 rows/ });
});
