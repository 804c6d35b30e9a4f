import { randomUUID } from 'node:crypto';
import { connectionWorkflowId, ensureGeneration } from '../../workflows/connection/contract.js';
import { consentAt } from './consents.js';
import { openRoad, type Road } from './road.js';
import { eventually, fastForward, type Temporal } from './temporal.js';
import { openGate, type Gate } from './gate.js';
import { startWorkerProcess, type WorkerProcess } from './processes.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestContext } from 'vitest';
import type { Connection } from './backend.js';

export interface CustodyScene {
  road: Road;
  gate: Gate;
  connection: string;
  handle: WorkflowHandle;
  startWorker: (env?: Record<string, string>) => Promise<WorkerProcess>;
}

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

export const outcomesOf = ({ sandbox }: Road): string[] =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'token' && entry.grant_type === 'refresh_token' ? [entry.outcome] : [],
    );

export function demand({ handle }: CustodyScene, after = 1): void {
  handle.executeUpdate(ensureGeneration, { args: [{ after }] }).catch(() => undefined);
}

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

export const HEARTBEAT = 4;

export async function timeouts({ handle }: CustodyScene): Promise<unknown[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(
    (event) => event.activityTaskTimedOutEventAttributes?.failure?.timeoutFailureInfo?.timeoutType ?? [],
  );
}

export async function waitedOut(scene: CustodyScene, { client }: Pick<Temporal, 'client'>): Promise<void> {
  await eventually(
    () => timeouts(scene),
    (missed) => missed.length > 0,
  );
  await fastForward(client, scene.handle.workflowId, 60);
}

export async function consentAgain({
  road,
  connection,
}: CustodyScene): Promise<{ status: number; page: string }> {
  const { data } = await road.backend.reauthorise(connection);
  const response = await consentAt(data?.authorize_url ?? '');
  return { status: response.status, page: await response.text() };
}
