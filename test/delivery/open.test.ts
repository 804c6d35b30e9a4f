// Runs that an operator has paused, on a server that allows it: they are open to whoever tells them and whoever lists them.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import getPort from 'get-port';
import { expect, onTestFinished, test } from 'vitest';
import { knownOpen, oursAmong } from '../../activities/sweep-lists.js';
import { isOpen } from '../../delivery/open.js';
import { readTemporalEnvironment } from '../../tools/temporal/config.js';
import { resolveTemporal } from '../../tools/temporal/resolve.js';
import { startTemporal } from '../../tools/temporal/start.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../../workflows/agreement.contract.js';
import { AGREEMENT_STATE, AGREEMENT_UID, CONNECTION_ID } from '../../workflows/search-attributes.contract.js';
import { eventually } from '../temporal.js';

const ALL_MS = 60_000;

async function startWithPauses(): Promise<Client> {
  const resolved = await resolveTemporal({ ...readTemporalEnvironment(), address: undefined });
  if (resolved.kind === 'external') throw new Error('expected a Temporal server of our own');
  const dynamicConfig = ['frontend.WorkflowPauseEnabled=true'];
  const { path } = resolved;
  const server = await startTemporal({ path, port: await getPort(), dynamicConfig, logLevel: 'error' });
  onTestFinished(() => server.stop());
  const connection = await Connection.connect({ address: server.address });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  await ensureSearchAttributes(client);
  return client;
}

/** The run of an agreement that nobody carries out: what lists show of it is all that counts here. */
async function anAgreement(client: Client) {
  const uid = `agr-${randomUUID()}`;
  const handle = await client.workflow.start(AGREEMENT_WORKFLOW, {
    taskQueue: 'nobody',
    workflowId: agreementWorkflowId(uid),
    args: [{ uid }],
    typedSearchAttributes: [
      { key: AGREEMENT_UID, value: uid },
      { key: AGREEMENT_STATE, value: 'active' },
      { key: CONNECTION_ID, value: 'acme' },
    ],
  });
  return { uid, handle };
}

test(
  'one that is paused is open, and one that was ended is not',
  async () => {
    const client = await startWithPauses();
    const [running, paused, ended] = [
      await anAgreement(client),
      await anAgreement(client),
      await anAgreement(client),
    ];
    await client.workflowService.pauseWorkflowExecution({
      namespace: 'default',
      workflowId: paused.handle.workflowId,
      requestId: randomUUID(),
    });
    await ended.handle.terminate();
    expect(isOpen(await paused.handle.describe())).toBe(true);
    await eventually(
      () => client.workflow.count("ExecutionStatus = 'Paused'"),
      ({ count }) => count === 1,
    );
    const open = await eventually(
      () => knownOpen(client, 'acme'),
      (uids) => !uids.includes(ended.uid),
    );
    expect(open.sort()).toEqual([running.uid, paused.uid].sort());
    const ours = await oursAmong(client, [running.uid, paused.uid, ended.uid]);
    expect([running, paused, ended].map(({ uid }) => ours.get(uid)?.isOpen)).toEqual([true, true, false]);
  },
  ALL_MS,
);
