import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { recordSinks } from '../../worker/record-sink.js';
import { aPaymentBatch } from '../support/a-batch.js';
import type { RecordOutcome } from '../../domain/records/batch.js';

const BATCH = aPaymentBatch({ follows: 1 });
const AWAY = (): Promise<RecordOutcome> => Promise.reject(new Error('away'));
const GONE = new WorkflowNotFoundError('no such run', BATCH.workflowId, 'run-1');

async function stored(
  writes: readonly (() => Promise<RecordOutcome>)[],
  signals: readonly (Error | undefined)[],
  withinMs: number,
) {
  const asked = { writes: 0, signalled: [] as unknown[] };
  const next = <T>(list: readonly T[], at: number): T => list[Math.min(at, list.length - 1)] as T;
  const temporal = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: {
      getHandle: (...ids: string[]) => ({
        signal: (_: unknown, newest: number) => {
          const error = next(signals, asked.signalled.length);
          asked.signalled.push([...ids, newest]);
          return error === undefined ? Promise.resolve() : Promise.reject(error);
        },
      }),
    },
  } as unknown as Client;
  const write = () => next(writes, (asked.writes += 1) - 1)();
  const { store } = recordSinks({ write }, temporal).records;
  let hasReturned = false;
  void Promise.resolve(store.fn({ runId: 'run-1' } as never, BATCH)).then(() => (hasReturned = true));
  await delay(withinMs);
  return { ...asked, hasReturned };
}

const newest = (version: number) => () => Promise.resolve({ newest: version });
const SIGNALLED = (version: number) => [BATCH.workflowId, 'run-1', version];

test.each([
  ['the batch is stored', [newest(2)], [undefined], { writes: 1, signalled: [] }],
  ['the database is away', [AWAY], [undefined], { writes: 1, signalled: [SIGNALLED(1)] }],
  ['the records lack the batch before', [newest(0)], [undefined], { writes: 1, signalled: [SIGNALLED(0)] }],
  ['the records have a newer batch', [newest(7)], [undefined], { writes: 1, signalled: [SIGNALLED(7)] }],
  [
    'the data are refused',
    [() => Promise.resolve({ refused: '22P05' })],
    [undefined],
    { writes: 1, signalled: [SIGNALLED(1)] },
  ],
  ['its run has ended', [AWAY], [GONE], { writes: 1, signalled: [SIGNALLED(1)] }],
])('a sink returns if %s', async (_, writes, signals, expected) => {
  expect(await stored(writes, signals, 0)).toEqual({ ...expected, hasReturned: true });
});

test('a sink that can neither store nor signal holds the task and tries both again', async () => {
  const refused = new Error('RESOURCE_EXHAUSTED');
  expect(await stored([AWAY], [refused], 300)).toMatchObject({ hasReturned: false });
  expect(await stored([AWAY, AWAY, newest(2)], [refused], 1000)).toMatchObject({
    writes: 3,
    hasReturned: true,
  });
  expect(await stored([AWAY], [refused, refused, undefined], 1000)).toMatchObject({
    writes: 3,
    hasReturned: true,
  });
});
