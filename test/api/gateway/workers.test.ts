import { expect, test, vi } from 'vitest';
import { createWorkersGateway } from '../../../api/gateway/workers.js';
import type { Calls } from '../../../api/gateway/temporal/calls.js';

const NOW = Date.parse('2026-10-01T02:00:00.000Z');

/** @param agoMs how long ago its last poll began. */
const aPoller = (agoMs: number, buildId?: string) => ({
  lastAccessTime: { seconds: Math.floor((NOW - agoMs) / 1000) },
  deploymentOptions: buildId === undefined ? null : { buildId },
});

const gatewayOver = (describeTaskQueue: () => Promise<unknown>) =>
  createWorkersGateway(
    {
      client: { workflowService: { describeTaskQueue }, options: { namespace: 'default' } },
      taskQueue: 'payto',
      short: <T>(call: () => Promise<T>) => call(),
    } as unknown as Calls,
    () => NOW,
  );

test('each queue has the releases that poll it now, and the current one', async () => {
  const describeTaskQueue = vi.fn(() =>
    Promise.resolve({
      pollers: [aPoller(0, '2'), aPoller(50_000, '1'), aPoller(0, '2'), aPoller(200_000, '0')],
      versioningInfo: { currentDeploymentVersion: { buildId: '2' } },
    }),
  );
  const queues = await gatewayOver(describeTaskQueue).queues();
  expect(queues.map(({ queue }) => queue)).toEqual(['money', 'reads', 'sweeps', 'records', 'events']);
  expect(queues[0]).toEqual({ queue: 'money', current: '2', polling: ['2', '1'] });
  const names = describeTaskQueue.mock.calls.map((call) => JSON.stringify(call));
  expect(names[1]).toContain('"payto-reads"');
});

test('workers without a release, and a queue without workers, are distinguished', async () => {
  const answers = [{ pollers: [aPoller(0)] }, { pollers: [] }];
  const queues = await gatewayOver(() => Promise.resolve(answers.shift() ?? {})).queues();
  expect(queues.slice(0, 2).map(({ polling }) => polling)).toEqual([[undefined], []]);
});
