import { Client, Connection } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { expect, test, vi } from 'vitest';
import { AGREEMENT_ROWS } from '../../../activities/batch/agreements.js';
import { PAYMENT_ROWS } from '../../../activities/batch/payments.js';
import { aMandate, aPaymentView, anAgreementView, anOrder } from '../../support/api/builders.js';
import { NO_RECORDS } from '../../support/no-records.js';
import type { Scene } from '../../../activities/batch/rows.js';

function sceneOf(found: object): Scene {
  const temporal = new Client({ connection: Connection.lazy() });
  const handle = temporal.workflow.getHandle('any');
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue(
    Object.assign(handle, {
      query: () => Promise.resolve(found),
      executeUpdate: () => Promise.resolve({ uid: 'pay-1', repeatOf: 'uid' }),
    }),
  );
  return {
    deps: {
      ...{ temporal, taskQueue: 'payto', now: () => 0, highRisk: { codes: [], primary: undefined } },
      sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 },
      records: NO_RECORDS,
    },
    visibility: {
      async *list() {
        await Promise.resolve();
        yield* [];
      },
      acquire: () => Promise.resolve(),
    },
    clients: () => Promise.resolve(undefined),
    accounts: () => Promise.resolve(undefined),
    task: { batch: 'b', connectionId: 'acme', isDryRun: false, by: 'backend', rows: [], blocked: [] },
  };
}

test.each([
  ['backend', []],
  ['another', ['idempotency_conflict /uid']],
])('a batch row with a uid requested by %s gets the refusals %j', async (requestedBy, refusals) => {
  const order = anOrder();
  const answers = [
    await AGREEMENT_ROWS.judge(sceneOf(anAgreementView({ requestedBy })), {
      ...{ kind: 'agreements', uid: 'agr-1', mandate: aMandate() },
    }),
    await PAYMENT_ROWS.start(sceneOf(aPaymentView({ requestedBy, order })), {
      ...{ kind: 'payments', uid: 'pay-1', order },
    }),
  ];
  for (const answer of answers)
    expect(answer?.refusals?.map(({ code, pointer }) => `${code} ${pointer}`) ?? []).toEqual(refusals);
});

test('a batch row whose uid only an event has named claims the uid', async () => {
  const scene = sceneOf(anAgreementView({ requestedMandate: undefined, mandate: undefined, adopted: true }));
  const { workflow } = scene.deps.temporal;
  const row = { kind: 'agreements', uid: 'agr-1', mandate: aMandate() } as const;
  expect(await AGREEMENT_ROWS.judge(scene, row)).toBeUndefined();
  const started = new WorkflowExecutionAlreadyStartedError('started', 'agreement/agr-1', 'agreement');
  vi.spyOn(workflow, 'start').mockRejectedValue(started);
  const claimed = anAgreementView({ requestedMandate: aMandate(), connectionId: 'acme' });
  Object.assign(workflow.getHandle('agreement/agr-1'), {
    describe: () => Promise.resolve({ status: { name: 'RUNNING' } }),
    executeUpdate: () => Promise.resolve(claimed),
  });
  expect(await AGREEMENT_ROWS.start(scene, row)).toMatchObject({ state: claimed.state });
});

const aRow = { kind: 'agreements', uid: 'agr-1', mandate: aMandate() } as const;
const withRecords = (found: object, remembered: Scene['deps']['records']['remembered']) => {
  const scene = sceneOf(found);
  const start = vi.spyOn(scene.deps.temporal.workflow, 'start').mockResolvedValue({} as never);
  return { start, scene: { ...scene, deps: { ...scene.deps, records: { ...NO_RECORDS, remembered } } } };
};

test('a batch row starts nothing under the uid of a record', async () => {
  const view = anAgreementView({ requestedMandate: aMandate(), connectionId: 'acme' });
  const { scene, start } = withRecords(view, () =>
    Promise.resolve({ is: 'row', version: 1, state: view.state, view }),
  );
  expect(await AGREEMENT_ROWS.start(scene, aRow)).toMatchObject({ state: view.state });
  expect(start).not.toHaveBeenCalled();
});

test('a batch row starts unchecked while the records are away', async () => {
  const { scene, start } = withRecords({}, () => Promise.reject(new Error('away')));
  expect(await AGREEMENT_ROWS.start(scene, aRow)).toMatchObject({ outcome: 'started' });
  expect(start.mock.calls[0]?.[1]).toMatchObject({ args: [{ uid: 'agr-1', isUnchecked: true }] });
});
