import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRecorded } from '../../../api/gateway/records.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { createBatchesGateway } from '../../../api/gateway/batches.js';
import { batchWorkflowId, getBatch, type BatchView } from '../../../workflows/batch/contract.js';
import { chunkWorkflowId } from '../../../workflows/batch-chunk/contract.js';
import { eventually, fastForward, useTemporal } from '../../support/temporal.js';
import { nothingNew } from '../../support/workflows/provider.js';
import type { Activities } from '../../../activities/index.js';
import type { BatchCommand, RowOutcome, RequestedRow, RowAnswer } from '../../../domain/batch/rows.js';

const temporal = useTemporal();
const DAY_S = 24 * 3600;

const answerOf = (outcome: RowOutcome): RowAnswer => ({ outcome, at: new Date().toISOString() });
const aRow = (uid: string): RequestedRow => ({
  row: { kind: 'identifications', uid, ask: { initiator: { client_id: 'c' } } },
  refusals: [],
});
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => aRow(`agr-${index}`));
const gateway = () =>
  createBatchesGateway(
    createCalls({
      client: temporal.client,
      taskQueue: temporal.taskQueue,
      recorded: createRecorded(RECORDS_AWAY),
    }),
    () => Promise.resolve('acme'),
  );
const start = async (rows: RequestedRow[]): Promise<string> => {
  const id = `bat-${randomUUID()}`;
  const request = { id, kind: 'identifications', connection: undefined, isDryRun: false } as const;
  const caller = { principal: 'key-1', connections: undefined };
  await gateway().start({ ...request, rows, caller });
  return id;
};
const viewOf = (id: string): Promise<BatchView> =>
  temporal.client.workflow.getHandle(batchWorkflowId(id)).query(getBatch);
const until = (id: string, isIt: (view: BatchView) => boolean) => eventually(() => viewOf(id), isIt);
const steer = (id: string, command: BatchCommand) =>
  gateway().steer(id, { command, reason: 'as agreed', by: 'key-1' });
const pageOf = async (id: string, outcome?: RowOutcome) =>
  gateway().rows(await viewOf(id), { outcome, from: 0, per_page: 100 });

function withBlocked(count: number) {
  let isReleased = false;
  const startRows: Activities['startRows'] = ({ rows }) =>
    Promise.resolve({
      answers: rows.map(({ uid }) => answerOf(Number(uid.slice(4)) < count ? 'started' : 'done')),
    });
  const watchRows: Activities['watchRows'] = ({ rows, blocked, isBrief }) => {
    if (isReleased) return Promise.resolve(rows.map(() => answerOf('done')));
    const answers = blocked.map((by) =>
      by === null ? { ...answerOf('blocked'), awaiting: 'reauthorisation' as const } : null,
    );
    const isNews = isBrief || answers.some((answer) => answer !== null);
    return isNews ? Promise.resolve(answers) : Promise.reject(nothingNew(50));
  };
  const release = (): void => void (isReleased = true);
  return { activities: { startRows, watchRows }, release };
}

test('blocked rows do not stop later rows and are flagged after a day', async () => {
  const { activities, release } = withBlocked(205);
  await temporal.run(activities, async () => {
    const id = await start(rowsOf(215));
    const going = await until(id, ({ counts }) => counts.blocked === 205 && counts.done === 10);
    expect(going).toMatchObject({ state: 'running', attention: [] });
    expect((await pageOf(id, 'blocked')).rows[0]).toMatchObject({
      ...{ uid: 'agr-0', answer: { awaiting: 'reauthorisation' } },
    });
    await fastForward(temporal.client, batchWorkflowId(id), DAY_S + 60);
    const { attention } = await until(id, (view) => view.attention.length > 0);
    expect(attention).toMatchObject([{ code: 'overdue' }]);
    expect(attention[0]?.detail).toMatch(/(agr-\d+, ){20}and 185 more/);
    release();
    const done = await until(id, ({ state }) => state === 'done');
    expect(done).toMatchObject({ counts: { done: 215 }, attention: [] });
  });
});

test('a pause stops rows posted just before, also in the next run of a chunk', async () => {
  let started = 0;
  let isPaused = false;
  const startRows: Activities['startRows'] = ({ rows }) => {
    if (isPaused) return Promise.resolve({ answers: [], direction: { course: 'paused', version: 2 } });
    started += rows.length;
    return Promise.resolve({ answers: rows.map(() => answerOf('done')) });
  };
  await temporal.run({ startRows }, async () => {
    const id = await start(rowsOf(210));
    await steer(id, 'pause');
    isPaused = true;
    const before = started;
    expect(await viewOf(id)).toMatchObject({ state: 'paused', commands: [{ command: 'pause' }] });
    for (const n of [0, 1]) {
      const run = temporal.client.workflow.getHandle(chunkWorkflowId(id, n));
      for (let signals = 0; signals < 60; signals += 1) await run.signal('handOver');
    }
    await pageOf(id);
    expect(started).toBe(before);
    isPaused = false;
    await steer(id, 'resumption');
    const done = await until(id, ({ state }) => state === 'done');
    expect(done).toMatchObject({ counts: { done: 210 } });
  });
});

test('an abandoned batch follows its started rows and refuses further commands', async () => {
  const { activities, release } = withBlocked(3);
  await temporal.run(activities, async () => {
    const id = await start(rowsOf(3));
    await until(id, ({ counts }) => counts.blocked === 3);
    await steer(id, 'abandonment');
    release();
    const { state } = await until(id, ({ counts }) => counts.done === 3);
    expect(state).toBe('abandoned');
    await expect(steer(id, 'pause')).rejects.toMatchObject({ code: 'batch_over' });
  });
});

test('a row refused by validation has its answer while other rows continue', async () => {
  const refusal = { code: 'invalid_request', pointer: '/submit_before', detail: 'expected an instant' };
  await temporal.run(withBlocked(0).activities, async () => {
    const refused = { row: { kind: 'refused', uid: 'agr-9', content: {} }, refusals: [refusal] } as const;
    const id = await start([...rowsOf(2), { ...refused, refusals: [refusal] }]);
    const { counts } = await until(id, ({ state }) => state === 'done');
    expect(counts).toEqual({ done: 2, refused: 1 });
    const { rows } = await pageOf(id, 'refused');
    expect(rows).toMatchObject([{ index: 2, answer: { refusals: [refusal] } }]);
  });
});

test('a page lists the rows of a deleted chunk as lost', async () => {
  await temporal.run(withBlocked(0).activities, async () => {
    const id = await start(rowsOf(210));
    const view = await until(id, ({ state }) => state === 'done');
    const query = { from: 0, per_page: 100, outcome: undefined };
    const page = await gateway().rows({ ...view, id: `${id}-gone` }, query);
    expect(page).toEqual({ rows: [], lost: view.chunks, next: undefined });
  });
});

test('a terminated chunk leaves its rows parked and the batch shows a flag', async () => {
  const { activities } = withBlocked(3);
  await temporal.run(activities, async () => {
    const id = await start(rowsOf(3));
    await until(id, ({ counts }) => counts.blocked === 3);
    await temporal.client.workflow.getHandle(chunkWorkflowId(id, 0)).terminate();
    await steer(id, 'pause');
    const { attention, counts } = await until(id, ({ state }) => state === 'done');
    expect({ attention, counts }).toMatchObject({
      attention: [{ code: 'unknown_outcome' }],
      counts: { parked: 3 },
    });
  });
});
