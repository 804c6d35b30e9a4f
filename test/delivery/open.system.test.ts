// A paused workflow gets its signals like a running one.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionsOf } from '../../activities/resource/find-owner.js';
import { trackedAmong } from '../../activities/sweep/tracked.js';
import { createVisibility } from '../../activities/temporal/visibility.js';
import { resumeBlockedActivity } from '../../activities/connection/resume-blocked.js';
import { createRecorded } from '../../api/gateway/records.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { createCalls } from '../../api/gateway/temporal/calls.js';
import { createConnectionChoice } from '../../api/gateway/connection-choice.js';
import { isOpen } from '../../delivery/open.js';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { freePort } from '../../temporal-server/free-port.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal, type RunningTemporal } from '../../temporal-server/start.js';
import { createLogger } from '../../telemetry/logger.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { keepSweeps } from '../../worker/sweeps.js';
import {
  AGREEMENT_WORKFLOW,
  agreementWorkflowId,
  connectionRestored,
} from '../../workflows/agreement/contract.js';
import { CONNECTION_WORKFLOW, connectionWorkflowId } from '../../workflows/connection/contract.js';
import {
  AGREEMENT_STATE,
  AGREEMENT_UID,
  AWAITING,
  CONNECTION_ID,
  CONNECTION_STATUS,
} from '../../workflows/contracts/search-attributes.js';
import { sweepId } from '../../workflows/sweep/contract.js';
import { NO_RECORDS } from '../support/no-records.js';
import { eventually } from '../support/temporal.js';
import type { SweptRows } from '../../domain/records/swept.js';

let server: RunningTemporal;
let client: Client;
beforeAll(async () => {
  const resolved = await resolveTemporal({ ...readTemporalEnvironment(), address: undefined });
  if (resolved.kind === 'external') throw new Error('expected a local Temporal binary');
  const dynamicConfig = ['frontend.WorkflowPauseEnabled=true'];
  const { path } = resolved;
  server = await startTemporal({ path, port: await freePort(), dynamicConfig, logLevel: 'error' });
  client = new Client({ connection: await Connection.connect({ address: server.address }) });
  await ensureSearchAttributes(client);
});
afterAll(async () => {
  await client.connection.close();
  await server.stop();
});

async function anAgreement(connection: string, awaiting = 'nothing') {
  const uid = `agr-${randomUUID()}`;
  const handle = await client.workflow.start(AGREEMENT_WORKFLOW, {
    taskQueue: 'nobody',
    workflowId: agreementWorkflowId(uid),
    args: [{ uid }],
    typedSearchAttributes: [
      { key: AGREEMENT_UID, value: uid },
      { key: AGREEMENT_STATE, value: 'active' },
      { key: CONNECTION_ID, value: connection },
      { key: AWAITING, value: awaiting },
    ],
  });
  return { uid, handle };
}

const aConnection = (id: string): Promise<WorkflowHandle> =>
  client.workflow.start(CONNECTION_WORKFLOW, {
    taskQueue: 'nobody',
    workflowId: connectionWorkflowId(id),
    args: [{ id }],
    typedSearchAttributes: [
      { key: CONNECTION_ID, value: id },
      { key: CONNECTION_STATUS, value: 'healthy' },
    ],
  });

async function pause({ workflowId }: WorkflowHandle): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.pauseWorkflowExecution({ namespace, workflowId, requestId: randomUUID() });
  const query = `WorkflowId = '${workflowId}' AND ExecutionStatus = 'Paused'`;
  await eventually(
    () => client.workflow.count(query),
    ({ count }) => count === 1,
  );
}

test('a paused workflow counts as running, and a terminated one does not', async () => {
  const [running, paused, ended] = [
    await anAgreement('listed'),
    await anAgreement('listed'),
    await anAgreement('listed'),
  ];
  await pause(paused.handle);
  await ended.handle.terminate();
  expect(isOpen(await paused.handle.describe())).toBe(true);
  const rowsOf: SweptRows['rowsOf'] = (_resource, uids) =>
    Promise.resolve(uids.map((uid) => ({ uid, state: 'active', connectionId: 'listed' })));
  const side = {
    records: { ...NO_RECORDS, rowsOf },
    visibility: createVisibility(client),
    resource: 'agreement' as const,
  };
  const uids = [running, paused, ended].map(({ uid }) => uid);
  await eventually(
    async () => {
      const ours = await trackedAmong(side, uids);
      return uids.map((uid) => ours.get(uid)?.isOpen);
    },
    (isOpen) => isDeepStrictEqual(isOpen, [true, true, false]),
  );
});

test('a paused workflow that is blocked without consent is resumed like any other', async () => {
  const [running, paused, content] = [
    await anAgreement('blocked', 'reauthorisation'),
    await anAgreement('blocked', 'reauthorisation'),
    await anAgreement('blocked'),
  ];
  await pause(paused.handle);
  const query = "Awaiting = 'reauthorisation'";
  await eventually(
    () => client.workflow.count(query),
    ({ count }) => count === 2,
  );
  const activity = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const resumeBlocked = resumeBlockedActivity({
    temporal: client,
    sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 },
  });
  expect(await activity.run(resumeBlocked, { connectionId: 'blocked' })).toBe(2);
  const signalsOf = async ({ handle }: { handle: WorkflowHandle }) =>
    ((await handle.fetchHistory()).events ?? []).flatMap(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
    );
  expect(await Promise.all([running, paused, content].map(signalsOf))).toEqual([
    [connectionRestored.name],
    [connectionRestored.name],
    [],
  ]);
});

test('a paused connection is chosen as the default, searched for unknown resources and swept', async () => {
  await pause(await aConnection('acme'));
  const stored = ['acme'];
  const recorded = createRecorded({ ...RECORDS_AWAY, connectionIds: () => Promise.resolve(stored) });
  const choose = (from = recorded) =>
    createConnectionChoice(createCalls({ client, taskQueue: 'nobody', recorded: from })).choose(undefined);
  expect(await choose()).toBe('acme');
  expect(await connectionsOf({ temporal: client })).toEqual([{ id: 'acme', hasConsent: true }]);
  expect(await choose(createRecorded(RECORDS_AWAY))).toBe('acme');
  const lines: string[] = [];
  const log = createLogger('worker', { write: (line) => void lines.push(line) });
  const plans = [{ does: 'sweep', everyMs: 86_400_000 }] as const;
  await keepSweeps({
    temporal: client,
    taskQueue: 'nobody',
    plans,
    signal: new AbortController().signal,
    log,
  });
  expect(lines.join('')).toContain('sweep schedules created');
  await client.schedule.getHandle(sweepId('acme')).describe();
  await aConnection('other');
  stored.push('other');
  await expect(choose()).rejects.toMatchObject({ code: 'connection_required' });
});
