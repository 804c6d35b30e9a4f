import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ensureSweepActivity, keepSchedule } from '../../../activities/sweep/schedule.js';
import { auditId } from '../../../workflows/audit/contract.js';
import { settlementId } from '../../../workflows/settlement/contract.js';
import { sweepId } from '../../../workflows/sweep/contract.js';
import { hasSchedule } from '../../support/swept-connection.js';
import { useTemporal } from '../../support/temporal.js';

const temporal = useTemporal();
const AN_HOUR = 3_600_000;

test('a schedule is created, updated and removed as configured, and stays paused', async () => {
  const connection = `con-${randomUUID()}`;
  const plan = {
    does: 'sweep' as const,
    connectionId: connection,
    taskQueue: 'no worker',
    everyMs: 6 * AN_HOUR,
  };
  const keep = (over: object = {}) => keepSchedule(temporal.client, { ...plan, ...over });
  const stands = () => hasSchedule({ temporal, connection });
  const handle = temporal.client.schedule.getHandle(sweepId(connection));
  onTestFinished(async () => {
    if (await stands()) await handle.delete();
  });
  expect(await keep({ everyMs: 0 })).toBe('none');
  expect(await keep()).toBe('created');
  const { lastUpdatedAt } = (await handle.describe()).info;
  expect(await keep()).toBe('unchanged');
  expect((await handle.describe()).info.lastUpdatedAt).toEqual(lastUpdatedAt);
  await handle.pause('the provider asked us to wait');
  expect(await keep({ everyMs: 2 * AN_HOUR })).toBe('updated');
  expect(await keep({ everyMs: 2 * AN_HOUR, taskQueue: 'another' })).toBe('updated');
  expect(await handle.describe()).toMatchObject({
    spec: { intervals: [{ every: 2 * AN_HOUR }] },
    action: { taskQueue: 'another' },
    state: { paused: true, note: 'the provider asked us to wait' },
  });
  expect(await keep({ everyMs: 2 * AN_HOUR, taskQueue: 'another' })).toBe('unchanged');
  expect(await keep({ everyMs: 0 })).toBe('removed');
  expect(await stands()).toBe(false);
});

test('a schedule starts its runs on the workflow task queue, not the activity task queue', async () => {
  const connection = `con-${randomUUID()}`;
  const info = { taskQueue: 'payto-sweeps' };
  const ensureSweep = ensureSweepActivity({
    temporal: temporal.client,
    taskQueue: 'payto',
    sweep: { everyMs: AN_HOUR },
    audit: { everyMs: AN_HOUR },
    settlement: { everyMs: AN_HOUR },
  });
  const handles = [sweepId, auditId, settlementId].map((idOf) =>
    temporal.client.schedule.getHandle(idOf(connection)),
  );
  onTestFinished(async () => {
    for (const handle of handles) await handle.delete();
  });
  await new MockActivityEnvironment(info).run(ensureSweep, { connectionId: connection });
  for (const handle of handles)
    expect(await handle.describe()).toMatchObject({ action: { taskQueue: 'payto' } });
});
