// Waking those who wait for consent: all of them, many at once, and from where a crash stopped it.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { wakeWaitingActivity } from '../../activities/wake-waiting.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import { SEALED, eventually, eventsOf, fastForward, useTemporal } from '../support/temporal.js';
import { A_MANDATE, agreementLook, failure, only } from '../workflows/provider.js';
import type { WorkflowClientInterceptor, WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';

const temporal = useTemporal();
const MANY = 260;
/** As many as the activity reads at once. */
const PAGE = 200;
const SETTLE_MS = 120_000;

/** A provider that lets nobody in until it is told to. */
function aProvider() {
  const door = { isOpen: false, asked: 0 };
  const createAgreement: Activities['createAgreement'] = ({ uid }) => {
    door.asked += 1;
    if (!door.isOpen) return Promise.reject(failure('needs_reauthorisation'));
    return Promise.resolve(agreementLook(uid, 'active'));
  };
  return { door, activities: only({ createAgreement }) };
}

async function waiting(count: number, connectionId: string, inAll = count): Promise<WorkflowHandle[]> {
  const { client, taskQueue } = temporal;
  const start = async () => {
    const uid = `agr-${randomUUID()}`;
    const args = [{ uid, connectionId, mandate: A_MANDATE }];
    return client.workflow.start(AGREEMENT_WORKFLOW, { taskQueue, workflowId: agreementWorkflowId(uid), args });
  }; // prettier-ignore
  const handles: WorkflowHandle[] = [];
  for (let left = count; left > 0; left -= 20)
    handles.push(...(await Promise.all(Array.from({ length: Math.min(left, 20) }, start))));
  const query = `ConnectionId = '${connectionId}' AND Awaiting = 'reauthorisation'`;
  await eventually(() => client.workflow.count(query), (seen) => seen.count === inAll, SETTLE_MS); // prettier-ignore
  return handles;
}

const activity = (heartbeatDetails?: unknown) =>
  new MockActivityEnvironment({ heartbeatDetails }, { logger: new DefaultLogger('ERROR') });
const wake = (connectionId: string, environment = activity(), client = temporal.client): Promise<number> =>
  environment.run(wakeWaitingActivity({ temporal: client }), { connectionId });

/** Lists come in pages of that size, for this test. */
function inPagesOf(pageSize: number): void {
  const { workflowService } = temporal.client;
  const list = workflowService.listWorkflowExecutions.bind(workflowService);
  const spy = vi.spyOn(workflowService, 'listWorkflowExecutions');
  spy.mockImplementation((asked: Parameters<typeof list>[0]) => list({ ...asked, pageSize }));
  onTestFinished(() => spy.mockRestore());
}

/** A client that does something else first where it is to signal one of these; it keeps whom it has told. */
function aPost(first: Record<string, () => Promise<void>>) {
  const told: string[] = [];
  const { connection, options } = temporal.client;
  const signal: WorkflowClientInterceptor['signal'] = async (input, next) => {
    const { workflowId = '' } = input.workflowExecution;
    await first[workflowId]?.();
    await next(input);
    told.push(workflowId);
  };
  const { namespace } = options;
  const client = new Client({ namespace, connection, dataConverter: SEALED, interceptors: { workflow: [{ signal }] } });
  const mend = (): void => { for (const id of Object.keys(first)) delete first[id]; };
  return { client, told, mend, slow: (id: string, ms: number) => void (first[id] = () => pause(ms)) };
} // prettier-ignore

/** Those who wait, in the order in which they are told. */
async function listed(connectionId: string): Promise<string[]> {
  const query = `ExecutionStatus = 'Running' AND Awaiting = 'reauthorisation' AND ConnectionId = '${connectionId}'`;
  const ids: string[] = [];
  for await (const { workflowId } of temporal.client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}
/** Where the second page of those who wait begins. */
async function secondPage(connectionId: string): Promise<string> {
  const { workflowService, options } = temporal.client;
  const { nextPageToken } = await workflowService.listWorkflowExecutions({
    namespace: options.namespace,
    query: `ExecutionStatus = 'Running' AND Awaiting = 'reauthorisation' AND ConnectionId = '${connectionId}'`,
    pageSize: PAGE,
  });
  return Buffer.from(nextPageToken).toString('base64');
}
/** Events of anything that was done, but for what the skipping of time itself writes. */
const doings = async (handle: WorkflowHandle): Promise<number> => {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskScheduledEventAttributes ?? event.timerStartedEventAttributes ?? event.activityTaskScheduledEventAttributes).length;
}; // prettier-ignore
const stateOf = async (handle: WorkflowHandle) => (await handle.query(getAgreement)).state;

describe('those who wait for consent', () => {
  test(`cost nothing meanwhile, and all of ${MANY} go on once woken, within a minute`, async () => {
    const { door, activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      const handles = await waiting(MANY, connectionId);
      const [first] = handles;
      if (first === undefined) throw new Error('expected some');
      const [events, asked] = [await eventsOf(first), door.asked];
      expect(asked).toBe(MANY);
      // An attempt after a crash goes on behind the page that was told, and tells the others alone.
      const next = await secondPage(connectionId);
      expect(await wake(connectionId, activity({ woken: PAGE, next }))).toBe(MANY);
      await eventually(() => Promise.resolve(door.asked), (seen) => seen === asked + MANY - PAGE); // prettier-ignore
      const again = `ConnectionId = '${connectionId}' AND Awaiting = 'reauthorisation'`;
      await eventually(() => temporal.client.workflow.count(again), (seen) => seen.count === MANY); // prettier-ignore
      const before = door.asked;
      door.isOpen = true;
      const fromMs = performance.now();
      expect(await wake(connectionId)).toBe(MANY);
      const wokenMs = performance.now() - fromMs;
      await eventually(() => Promise.resolve(door.asked), (seen) => seen >= before + MANY, 60_000); // prettier-ignore
      const goneOnMs = performance.now() - fromMs;
      expect(events).toBeLessThan(15);
      expect(await eventually(() => stateOf(first), (state) => state === 'active')).toBe('active'); // prettier-ignore
      console.log(`woken ${MANY} in ${Math.round(wokenMs)} ms, all at work after ${Math.round(goneOnMs)} ms`);
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  }, 300_000);

  test('write no event in a week, and ask nobody', async () => {
    const { door, activities } = aProvider();
    await temporal.run(activities, async () => {
      const [handle] = await waiting(1, `con-${randomUUID()}`);
      if (handle === undefined) throw new Error('expected one');
      const before = await doings(handle);
      await fastForward(temporal.client, handle.workflowId, 7 * 86_400);
      expect(await doings(handle)).toBe(before);
      expect(door.asked).toBe(1);
      await handle.terminate();
    });
  });

  test('are woken whether or not they know their connection, and those of others are left alone', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const [ours, theirs] = [`con-${randomUUID()}`, `con-${randomUUID()}`];
      const handles = [...(await waiting(2, ours)), ...(await waiting(1, theirs))];
      expect(await wake(ours)).toBe(2);
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  });

  test('are told by a later walk only where they began to wait late', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      const handles = await waiting(1, connectionId);
      await pause(10);
      const since = new Date().toISOString();
      handles.push(...(await waiting(1, connectionId, 2)));
      const post = aPost({});
      const args = { connectionId, since };
      expect(await activity().run(wakeWaitingActivity({ temporal: post.client }), args)).toBe(1);
      expect(post.told).toEqual([handles[1]?.workflowId]);
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  });

  test('are all told though one cannot be and another has just ended, and the next attempt tells the one', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      await waiting(6, connectionId);
      inPagesOf(2);
      const [ended = '', deaf = '', ...others] = await listed(connectionId);
      const post = aPost({
        [deaf]: () => Promise.reject(new Error('refused')),
        [ended]: async () => void (await temporal.client.workflow.getHandle(ended).terminate()),
      });
      const first = activity();
      const beats: unknown[] = [];
      first.on('heartbeat', (details) => beats.push(details));
      const failed = wake(connectionId, first, post.client);
      await expect(failed).rejects.toMatchObject({ type: 'not_everyone_woken', nonRetryable: false });
      expect(post.told.toSorted()).toEqual([...others].toSorted());
      // The page with the one that was not told is told again, and those after it; by then they may have gone on.
      post.mend();
      await wake(connectionId, activity(beats.at(-1)), post.client);
      expect(post.told.slice(others.length)).toContain(deaf);
      const handles = [deaf, ...others].map((id) => temporal.client.workflow.getHandle(id));
      await Promise.all(handles.map((handle) => handle.terminate()));
    });
  });

  test('are all listed anew where one could not be told, so that who has begun to wait meanwhile is told as well', async () => {
    const { activities } = aProvider();
    await temporal.run(activities, async () => {
      const connectionId = `con-${randomUUID()}`;
      await waiting(6, connectionId);
      inPagesOf(2);
      const ids = await listed(connectionId);
      const [, , deaf = ''] = ids;
      const post = aPost({ [deaf]: () => Promise.reject(new Error('refused')) });
      const first = activity();
      const beats: unknown[] = [];
      first.on('heartbeat', (details) => beats.push(details));
      // The last page takes long enough for a beat.
      post.slow(ids.at(-1) ?? '', 1500);
      await expect(wake(connectionId, first, post.client)).rejects.toMatchObject({
        type: 'not_everyone_woken',
      });
      post.mend();
      post.told.length = 0;
      expect(beats.at(-1)).toEqual({ woken: 0 });
      await wake(connectionId, activity(beats.at(-1)), post.client);
      expect(post.told).toContain(deaf);
      await Promise.all(ids.map((id) => temporal.client.workflow.getHandle(id).terminate()));
    });
  });
});
