import { Client, Connection } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { RESOLUTION_ROWS } from '../../../activities/batch/resolutions.js';
import { RETRY_ROWS } from '../../../activities/batch/retries.js';
import { useOfResolution } from '../../../domain/attention/resolution.js';
import { carry } from '../../../workflows/contracts/upgrade.js';
import { aPaymentView } from '../../support/api/builders.js';
import { NO_RECORDS } from '../../support/no-records.js';
import type { Scene } from '../../../activities/batch/rows.js';
import type { Visibility } from '../../../activities/temporal/visibility.js';

const SINCE = '2026-11-12T00:00:00.000Z';
const ROW = { kind: 'resolutions', uid: 'pay-1', resource: 'payment', since: SINCE } as const;
const KEY = 'batch/b/pay-1';

interface Run {
  status?: 'RUNNING' | 'COMPLETED';
  result?: object;
  view?: object;
}

function sceneOf({ status = 'RUNNING', result = {}, view = {} }: Run, remembered = NO_RECORDS.remembered) {
  const temporal = new Client({ connection: Connection.lazy() });
  const executeUpdate = vi.fn(() => Promise.resolve());
  const executeUpdateWithStart = vi
    .spyOn(temporal.workflow, 'executeUpdateWithStart')
    .mockResolvedValue(undefined);
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue({
    describe: () => Promise.resolve({ status: { name: status }, runId: 'run-1' }),
    result: () => Promise.resolve(result),
    query: () => Promise.resolve(view),
    executeUpdate,
  } as never);
  const visibility: Visibility = {
    async *list() {
      await Promise.resolve();
      yield* [];
    },
    acquire: () => Promise.resolve(),
  };
  const scene: Scene = {
    deps: {
      ...{ temporal, taskQueue: 'payto', now: () => 0, highRisk: { codes: [], primary: undefined } },
      sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 },
      records: { ...NO_RECORDS, remembered },
    },
    ...{ visibility, clients: () => Promise.resolve(undefined), accounts: () => Promise.resolve(undefined) },
    task: {
      ...{ batch: 'b', connectionId: 'acme', isDryRun: false, by: 'ops', rows: [], blocked: [] },
      repair: { reason: 'case 5', filter: {}, found: 'd', flag: 'conflict', by: 'ops, approved by chief' },
    },
  };
  return { scene, executeUpdate, executeUpdateWithStart };
}

test('a flag is resolved with a key of the batch and the resource, and with the names of both principals', async () => {
  const { scene, executeUpdate } = sceneOf({});
  expect(await RESOLUTION_ROWS.start(scene, ROW)).toMatchObject({ outcome: 'done' });
  expect(executeUpdate.mock.lastCall).toMatchObject([
    'resolveAttention',
    { args: [{ key: KEY, code: 'conflict', since: SINCE, reason: 'case 5', by: 'ops, approved by chief' }] },
  ]);
});

const endedWith = (reason: string) => {
  const resolution = { key: KEY, code: 'conflict', reason, by: 'ops' } as const;
  const carried = carry({ uses: [useOfResolution('pay-1', resolution)] });
  return { status: 'COMPLETED', result: { uid: 'pay-1', carried } } as const;
};

test.each([
  ['that had resolved the flag, accepts the repeat', endedWith('case 5'), 'done'],
  [
    'without the key of the row, refuses it',
    { ...endedWith(''), result: { uid: 'pay-1', carried: carry({}) } },
    'refused',
  ],
])('an ended run %s', async (_, run, outcome) => {
  const { scene, executeUpdateWithStart } = sceneOf(run);
  expect(await RESOLUTION_ROWS.start(scene, ROW)).toMatchObject({ outcome });
  expect(executeUpdateWithStart).not.toHaveBeenCalled();
});

test('a retried payment that the list still shows as failed is read from its run', async () => {
  const row = { kind: 'retries', uid: 'pay-1', attempt: 1, amount: 100 } as const;
  for (const [state, outcome] of [
    ['settled', 'done'],
    ['failed', 'failed'],
  ] as const) {
    const { scene } = sceneOf({ view: aPaymentView({ uid: 'pay-1', state }) });
    const rowsOf = () => Promise.resolve([{ uid: 'pay-1', state: 'failed' }] as never);
    const deps = { ...scene.deps, records: { ...scene.deps.records, rowsOf } };
    expect(await RETRY_ROWS.watch({ ...scene, deps }, [row])).toMatchObject([{ outcome }]);
  }
});
