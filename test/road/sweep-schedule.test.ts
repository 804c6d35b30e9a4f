// Who sees to it that sweeps happen: a schedule for each connection, which an operator may hold up and nobody else undoes.
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keepSchedule, offsetOf } from '../../activities/sweep/schedule.js';
import { createLogger } from '../../telemetry/logger.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { connectionWorkflowId } from '../../workflows/connection/contract.js';
import { sweepId } from '../../workflows/sweep/contract.js';
import { keepSweeps } from '../../worker/sweeps.js';
import { consentAt } from '../support/road.js';
import { eventually, fastForward, useTemporal } from '../support/temporal.js';
import { here, onASweptRoad, stateShowing, atTheProvider } from '../support/sweeping.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { SweepReport } from '../../domain/sweep.js';

const temporal = useTemporal();
const AN_HOUR = 3_600_000;
const EVERY = 6 * AN_HOUR;
const SWEEPS = { sweep: { everyMs: EVERY } };

const scheduleOf = (connection: string) => temporal.client.schedule.getHandle(sweepId(connection));
const schedules = async (connection: string): Promise<boolean> =>
  scheduleOf(connection)
    .describe()
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === 'ScheduleNotFoundError') return false;
      throw error;
    });
const scheduled = async (connection: string) => {
  await eventually(() => schedules(connection), Boolean);
  onTestFinished(async () => {
    if (await schedules(connection)) await scheduleOf(connection).delete();
  });
  return scheduleOf(connection);
};

/** How often the newest run has been told something. */
async function signalsTo(run: WorkflowHandle): Promise<number> {
  const { events } = await run.fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes != null).length;
}

/** Has the schedule sweep as it does at its hour, and brings what that sweep left. */
async function triggered(connection: string): Promise<SweepReport> {
  const handle = scheduleOf(connection);
  const count = async () => (await handle.describe()).info.recentActions.length;
  const before = await count();
  await handle.trigger('SKIP');
  await eventually(count, (seen) => seen > before);
  const [last] = (await handle.describe()).info.recentActions.slice(-1);
  const result: unknown = await temporal.client.workflow
    .getHandle(last?.action.workflow.workflowId ?? '')
    .result();
  // The next sweep is given the result once the schedule has seen the end of this one.
  await eventually(
    () => handle.describe(),
    ({ info }) => info.runningActions.length === 0,
  );
  return result as SweepReport;
}

const aPlan = (over: object = {}) => ({
  connectionId: `con-${randomUUID()}`,
  taskQueue: 'nobodys',
  everyMs: EVERY,
  ...over,
});

describe('the schedule', () => {
  test('is there once a merchant has consented, and sweeps when an operator triggers it', async () => {
    await onASweptRoad(
      temporal,
      async (swept) => {
        const handle = await scheduled(swept.connection);
        const { spec, policies, action, state, info } = await handle.describe();
        expect(spec.intervals).toEqual([{ every: EVERY, offset: offsetOf(swept.connection, EVERY) }]);
        expect({ policies, action, paused: state.paused }).toMatchObject({
          policies: { overlap: 'SKIP', catchupWindow: EVERY },
          action: {
            workflowType: 'sweep',
            taskQueue: swept.taskQueue,
            args: [{ connectionId: swept.connection }],
          },
          paused: false,
        });
        expect(info.nextActionTimes.length).toBeGreaterThan(0);
        await atTheProvider(swept, 1);
        expect(await triggered(swept.connection)).toMatchObject({
          connectionId: swept.connection,
          seen: 1,
          unknownHere: 1,
        });
        const query = `WorkflowType = 'sweep' AND ConnectionId = '${swept.connection}'`;
        await eventually(
          async () => (await temporal.client.workflow.count(query)).count,
          (count) => count === 1,
        );
      },
      SWEEPS,
    );
  });

  test('tells of the same difference three times, then only names it', async () => {
    await onASweptRoad(
      temporal,
      async (swept) => {
        await scheduled(swept.connection);
        const [uid = ''] = await atTheProvider(swept, 1);
        // Cancelled, say the facts; the provider goes on showing it active, and a look can only say so again.
        const cancelled = stateShowing(swept.connection, uid, 'cancelled');
        await here(swept, [{ ...cancelled, doubts: 0 }]);
        const run = temporal.client.workflow.getHandle(agreementWorkflowId(uid));
        await eventually(
          () => run.describe(),
          ({ status }) => status.name === 'COMPLETED',
        );
        for (const times of [1, 2, 3]) {
          const report = await triggered(swept.connection);
          expect(report).toMatchObject({
            differing: 1,
            differences: [{ uid, here: 'cancelled', there: 'active', times }],
          });
        }
        const before = await signalsTo(run);
        for (let again = 0; again < 2; again += 1) {
          const report = await triggered(swept.connection);
          expect(report).toMatchObject({
            differing: 0,
            unsettled: 1,
            named: { unsettled: [uid] },
            differences: [{ times: 3 }],
          });
        }
        expect(await signalsTo(run)).toBe(before);
      },
      SWEEPS,
    );
  });

  test('stays paused, with the operator’s note, whatever worker starts and whoever consents again', async () => {
    await onASweptRoad(
      temporal,
      async ({ connection, road, taskQueue }) => {
        const handle = await scheduled(connection);
        await handle.pause('the provider asked us to wait');
        await keepSchedule(temporal.client, { connectionId: connection, taskQueue, everyMs: EVERY });
        await keepSchedule(temporal.client, { connectionId: connection, taskQueue, everyMs: 2 * AN_HOUR });
        // What was blocked for want of the first consent has all been resumed.
        await fastForward(temporal.client, connectionWorkflowId(connection), 130);
        const { body } = await road.post(`/v1/connections/${connection}/reauthorisation`, {});
        await consentAt(String(body['authorize_url']));
        await eventually(
          () => handle.describe(),
          ({ spec }) => spec.intervals?.[0]?.every === EVERY,
        );
        expect((await handle.describe()).state).toMatchObject({
          paused: true,
          note: 'the provider asked us to wait',
        });
      },
      SWEEPS,
    );
  });

  test('is made once, brought up to date, left alone where it is right, and removed where none is wanted', async () => {
    const plan = aPlan();
    const keep = (over: object = {}) => keepSchedule(temporal.client, { ...plan, ...over });
    expect(await keep({ everyMs: 0 })).toBe('none');
    expect(await keep()).toBe('created');
    const handle = await scheduled(plan.connectionId);
    const { lastUpdatedAt } = (await handle.describe()).info;
    expect(await keep()).toBe('unchanged');
    expect((await handle.describe()).info.lastUpdatedAt).toEqual(lastUpdatedAt);
    expect(await keep({ everyMs: 2 * AN_HOUR })).toBe('updated');
    expect(await keep({ everyMs: 2 * AN_HOUR, taskQueue: 'another' })).toBe('updated');
    expect(await handle.describe()).toMatchObject({
      spec: { intervals: [{ every: 2 * AN_HOUR }] },
      action: { taskQueue: 'another' },
    });
    expect(await keep({ everyMs: 2 * AN_HOUR, taskQueue: 'another' })).toBe('unchanged');
    expect(await keep({ everyMs: 0 })).toBe('removed');
    expect(await schedules(plan.connectionId)).toBe(false);
  });

  test('begins at an hour of its own, the same every time', () => {
    const offsets = Array.from({ length: 200 }, (_, index) => offsetOf(`con-${index}`, EVERY));
    expect(offsets).toEqual(Array.from({ length: 200 }, (_, index) => offsetOf(`con-${index}`, EVERY)));
    expect(offsets.every((offset) => offset >= 0 && offset < EVERY && offset % 1000 === 0)).toBe(true);
    const byHour = new Set(offsets.map((offset) => Math.floor(offset / AN_HOUR)));
    expect([...byHour].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a worker that starts', () => {
  test('sees to the schedule of a connection that was there before', async () => {
    await onASweptRoad(temporal, async ({ connection, taskQueue }) => {
      const isListed = async () =>
        (
          await temporal.client.workflow.count(
            `WorkflowType = 'connection' AND ConnectionStatus = 'healthy' AND WorkflowId = 'connection/${connection}'`,
          )
        ).count;
      await eventually(isListed, (count) => count === 1);
      expect(await schedules(connection)).toBe(false);
      await keepSweeps({
        temporal: temporal.client,
        plan: { taskQueue, everyMs: EVERY },
        signal: new AbortController().signal,
        log: createLogger('worker', { write: () => undefined }),
      });
      await scheduled(connection);
    });
  });
});
