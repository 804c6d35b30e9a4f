import { randomUUID } from 'node:crypto';
import { connectionWorkflowId, ensureGeneration } from '../../workflows/connection/contract.js';
import { consentAt, openRoad } from './road.js';
import { eventually, fastForward } from './temporal.js';
import { openGate } from './gate.js';
import { startWorkerProcess } from './worker-process.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestContext } from 'vitest';
import type { Connection } from './backend.js';
import type { Road } from './road.js';
import type { Temporal } from './temporal.js';
import type { Gate } from './gate.js';
import type { WorkerProcess } from './worker-process.js';

export interface CustodyScene {
  road: Road;
  /** Between workers and the authorisation server. */
  gate: Gate;
  connection: string;
  handle: WorkflowHandle;
  /** @param env what this one has otherwise. It is gone when the test is over. */
  startWorker: (env?: Record<string, string>) => Promise<WorkerProcess>;
}

/** @param onTestFinished of the test itself, as several run at the same time. */
export async function aCustodyScene(
  temporal: Pick<Temporal, 'client'>,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
): Promise<CustodyScene> {
  const taskQueue = `custody-${randomUUID()}`;
  const road = await openRoad(temporal, taskQueue);
  const gate = await openGate(road.sandbox.url);
  onTestFinished(async () => {
    await gate.close();
    await road.close();
  });
  const throughTheGate = { ...road, sandbox: { ...road.sandbox, url: gate.url } };
  const startWorker: CustodyScene['startWorker'] = async (env = {}) => {
    const worker = await startWorkerProcess(throughTheGate, taskQueue, road.sandbox.url, env);
    onTestFinished(() => worker.kill());
    return worker;
  };
  const connection = `con-${randomUUID()}`;
  const handle = temporal.client.workflow.getHandle(connectionWorkflowId(connection));
  return { road, gate, connection, handle, startWorker };
}

/** What became of each renewal that reached the provider. */
export const outcomesOf = ({ sandbox }: Road): string[] =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'token' && entry.grant_type === 'refresh_token' ? [entry.outcome] : [],
    );

/** Somebody needs the next token, and does not wait for it. */
export function demand({ handle }: CustodyScene, after = 1): void {
  handle.executeUpdate(ensureGeneration, { args: [{ after }] }).catch(() => undefined);
}

/** What the connection says, once it is so; nobody answers while no worker is there. */
export async function eventuallyIs(
  { road, connection }: CustodyScene,
  isIt: (view: Connection) => boolean,
): Promise<Connection | undefined> {
  const answer = await eventually(
    () => road.backend.connection(connection).catch(() => undefined),
    (seen) => seen?.data !== undefined && isIt(seen.data),
  );
  return answer?.data;
}

export const isFlagged =
  (flag: string) =>
  ({ attention }: Connection): boolean =>
    attention.some(({ code }) => code === flag);

/** Of Temporal's enum TimeoutType. */
export const HEARTBEAT = 4;

/** How Temporal came to know of each call that never ended: by its heartbeat, and not by the minute that it has. */
export async function timeouts({ handle }: CustodyScene): Promise<unknown[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(
    (event) => event.activityTaskTimedOutEventAttributes?.failure?.timeoutFailureInfo?.timeoutType ?? [],
  );
}

/** A call is missed, and waited out: the minute that it had is over. */
export async function waitedOut(scene: CustodyScene, { client }: Pick<Temporal, 'client'>): Promise<void> {
  await eventually(
    () => timeouts(scene),
    (missed) => missed.length > 0,
  );
  await fastForward(client, scene.handle.workflowId, 60);
}

/** The merchant consents anew; resolves to what the page after it says. */
export async function consentAgain({
  road,
  connection,
}: CustodyScene): Promise<{ status: number; page: string }> {
  const { data } = await road.backend.reauthorise(connection);
  const response = await consentAt(data?.authorize_url ?? '');
  return { status: response.status, page: await response.text() };
}
