// Agreements without consent cost nothing while they wait, and all of them resume after the next consent.
import { randomUUID } from 'node:crypto';
import { Client, type WorkflowClientInterceptor, type WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { resumeBlockedActivity } from '../../../activities/connection/resume-blocked.js';
import {
  AGREEMENT_WORKFLOW,
  agreementWorkflowId,
  getAgreement,
} from '../../../workflows/agreement/contract.js';
import { AWAITING_SINCE } from '../../../workflows/contracts/search-attributes.js';
import { SEALED, eventually, eventsOf, fastForward, useTemporal } from '../../support/temporal.js';
import { A_MANDATE, fetchedAgreement, failure, only } from '../../support/workflows/provider.js';
import type { Activities } from '../../../activities/index.js';

const temporal = useTemporal();
const MANY = 60;
const PAGE = 40;
const SWEEP = { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 };

function aProvider() {
  const door = { isOpen: false, asked: 0 };
  const createAgreement: Activities['createAgreement'] = ({ uid }) => {
    door.asked += 1;
    if (!door.isOpen) return Promise.reject(failure('needs_reauthorisation'));
    return Promise.resolve(fetchedAgreement(uid, 'active'));
  };
  return { door, activities: only({ createAgreement }) };
}

async function blocked(count: number, connectionId: string, inAll = count): Promise<WorkflowHandle[]> {
  const { client, taskQueue } = temporal;
  const start = async () => {
    const uid = `agr-${randomUUID()}`;
    const args = [{ uid, connectionId, mandate: A_MANDATE }];
    return client.workflow.start(AGREEMENT_WORKFLOW, {
      taskQueue,
      workflowId: agreementWorkflowId(uid),
      args,
    });
  };
  const handles: WorkflowHandle[] = [];
  for (let left = count; left > 0; left -= 20)
    handles.push(...(await Promise.all(Array.from({ length: Math.min(left, 20) }, start))));
  const query = `ConnectionId = '${connectionId}' AND Awaiting = 'reauthorisation'`;
  await eventually(
    () => client.workflow.count(query),
    (seen) => seen.count === inAll,
  );
  return handles;
}

const activity = (heartbeatDetails?: unknown) =>
  new MockActivityEnvironment({ heartbeatDetails }, { logger: new DefaultLogger('ERROR') });
const resume = (connectionId: string, environment = activity(), client = temporal.client): Promise<number> =>
  environment.run(resumeBlockedActivity({ temporal: client, sweep: SWEEP }), { connectionId });

function inPagesOf(pageSize: number): void {
  const { workflowService } = temporal.client;
  const list = workflowService.listWorkflowExecutions.bind(workflowService);
  const spy = vi.spyOn(workflowService, 'listWorkflowExecutions');
  spy.mockImplementation((asked: Parameters<typeof list>[0]) => list({ ...asked, pageSize }));
  onTestFinished(() => spy.mockRestore());
}

function aSender(first: Record<string, () => Promise<void>>) {
  const signalled: string[] = [];
  const { connection, options } = temporal.client;
  const signal: WorkflowClientInterceptor['signal'] = async (input, next) => {
    const { workflowId = '' } = input.workflowExecution;
    await first[workflowId]?.();
    await next(input);
    signalled.push(workflowId);
  };
  const { namespace } = options;
  const client = new Client({
    namespace,
    connection,
    dataConverter: SEALED,
    interceptors: { workflow: [{ signal }] },
  });
  const mend = (): void => {
    for (const id of Object.keys(first)) delete first[id];
  };
  return { client, signalled, mend };
}

async function listed(connectionId: string): Promise<string[]> {
  const query = `ExecutionStatus = 'Running' AND Awaiting = 'reauthorisation' AND ConnectionId = '${connectionId}'`;
  const ids: string[] = [];
  for await (const { workflowId } of temporal.client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}
async function secondPage(connectionId: string): Promise<string> {
  const { workflowService, options } = temporal.client;
  const { nextPageToken } = await workflowService.listWorkflowExecutions({
    namespace: options.namespace,
    query: `ExecutionStatus = 'Running' AND Awaiting = 'reauthorisation' AND ConnectionId = '${connectionId}'`,
    pageSize: PAGE,
  });
  return Buffer.from(nextPageToken).toString('base64');
}
const eventsOfWork = async (handle: WorkflowHandle): Promise<number> => {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter(
    (event) =>
      event.workflowTaskScheduledEventAttributes ??
      event.timerStartedEventAttributes ??
      event.activityTaskScheduledEventAttributes,
  ).length;
};
const stateOf = async (handle: WorkflowHandle) => (await handle.query(getAgreement)).state;

describe('agreements blocked without consent', () => {
  test(`all ${MANY} make no calls while blocked, and continue after the resume`, async () => {
    const { door, activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      const handles = await blocked(MANY, connectionId);
      inPagesOf(PAGE);
      const [first] = handles;
      if (first === undefined) throw new Error('expected blocked agreements');
      const [events, asked] = [await eventsOf(first), door.asked];
      expect(asked).toBe(MANY);
      const next = await secondPage(connectionId);
      expect(await resume(connectionId, activity({ resumed: PAGE, next }))).toBe(MANY);
      await eventually(
        () => Promise.resolve(door.asked),
        (seen) => seen === asked + MANY - PAGE,
      );
      const again = `ConnectionId = '${connectionId}' AND Awaiting = 'reauthorisation'`;
      await eventually(
        () => temporal.client.workflow.count(again),
        (seen) => seen.count === MANY,
      );
      const before = door.asked;
      door.isOpen = true;
      expect(await resume(connectionId)).toBe(MANY);
      await eventually(
        () => Promise.resolve(door.asked),
        (seen) => seen >= before + MANY,
      );
      expect(events).toBeLessThan(15);
      expect(
        await eventually(
          () => stateOf(first),
          (state) => state === 'active',
        ),
      ).toBe('active');
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  });

  test('write no events and make no calls during a week', async () => {
    const { door, activities } = aProvider();
    await temporal.run(activities, async () => {
      const [handle] = await blocked(1, `con-${randomUUID()}`);
      if (handle === undefined) throw new Error('expected a blocked agreement');
      const before = await eventsOfWork(handle);
      await fastForward(temporal.client, handle.workflowId, 7 * 86_400);
      expect(await eventsOfWork(handle)).toBe(before);
      expect(door.asked).toBe(1);
      await handle.terminate();
    });
  });

  test('are resumed only if they belong to the connection', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const [ours, theirs] = [`con-${randomUUID()}`, `con-${randomUUID()}`];
      const handles = [...(await blocked(2, ours)), ...(await blocked(1, theirs))];
      expect(await resume(ours)).toBe(2);
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  });

  test('are signalled by a later pass only if they were blocked after the earlier one', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      const handles = await blocked(1, connectionId);
      const { typedSearchAttributes } = (await handles[0]?.describe()) ?? {};
      const firstMs = typedSearchAttributes?.get(AWAITING_SINCE)?.getTime() ?? NaN;
      const since = new Date(firstMs + 1).toISOString();
      handles.push(...(await blocked(1, connectionId, 2)));
      const sender = aSender({});
      const args = { connectionId, since };
      const resumeLate = resumeBlockedActivity({ temporal: sender.client, sweep: SWEEP });
      expect(await activity().run(resumeLate, args)).toBe(1);
      expect(sender.signalled).toEqual([handles[1]?.workflowId]);
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  });

  test('are all signalled if one signal fails, which the next attempt repeats', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      await blocked(6, connectionId);
      inPagesOf(2);
      const [ended = '', unreachable = '', ...others] = await listed(connectionId);
      const sender = aSender({
        [unreachable]: () => Promise.reject(new Error('refused')),
        [ended]: async () => void (await temporal.client.workflow.getHandle(ended).terminate()),
      });
      const first = activity();
      const heartbeats: unknown[] = [];
      first.on('heartbeat', (details) => heartbeats.push(details));
      const failed = resume(connectionId, first, sender.client);
      await expect(failed).rejects.toMatchObject({ type: 'not_everyone_resumed', nonRetryable: false });
      expect(sender.signalled.toSorted()).toEqual([...others].toSorted());
      sender.mend();
      await resume(connectionId, activity(heartbeats.at(-1)), sender.client);
      expect(sender.signalled.slice(others.length)).toContain(unreachable);
      const handles = [unreachable, ...others].map((id) => temporal.client.workflow.getHandle(id));
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  });

  test('are listed from the start by the next attempt if one signal failed', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      await blocked(6, connectionId);
      inPagesOf(2);
      const ids = await listed(connectionId);
      const [, , unreachable = ''] = ids;
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const sender = aSender({
        [unreachable]: () => Promise.reject(new Error('refused')),
        [ids.at(-1) ?? '']: () => Promise.resolve(void vi.advanceTimersByTime(1000)),
      });
      const first = activity();
      const heartbeats: unknown[] = [];
      first.on('heartbeat', (details) => heartbeats.push(details));
      await expect(resume(connectionId, first, sender.client)).rejects.toMatchObject({
        type: 'not_everyone_resumed',
      });
      sender.mend();
      sender.signalled.length = 0;
      expect(heartbeats).toContainEqual({ resumed: 2, next: expect.any(String) as unknown });
      expect(heartbeats.at(-1)).toEqual({ resumed: 0 });
      await resume(connectionId, activity(heartbeats.at(-1)), sender.client);
      expect(sender.signalled).toContain(unreachable);
      await Promise.all(ids.map((id) => temporal.client.workflow.getHandle(id).terminate()));
    });
  });
});
