import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { expect, test } from 'vitest';
import {
  AGREEMENT_WORKFLOW,
  agreementFact,
  agreementWorkflowId,
  getAgreement,
  requestAction,
} from '../../../../workflows/agreement/contract.js';
import { getRecord, handOver } from '../../../../workflows/contracts/every-workflow.js';
import { aFact } from '../../../support/facts.js';
import { eventsOf, eventually, useTemporal } from '../../../support/temporal.js';
import { A_MANDATE, fetchedAgreement, only } from '../../../support/workflows/provider.js';
import { newestOf, startAgreement } from '../../../support/workflows/runs.js';

const temporal = useTemporal();
const SIGNALS = 60;
const MANY = 210;
const isLostTask = (event: {
  workflowTaskFailedEventAttributes?: unknown;
  workflowTaskTimedOutEventAttributes?: unknown;
}): boolean =>
  [event.workflowTaskFailedEventAttributes, event.workflowTaskTimedOutEventAttributes].some(
    (attributes) => attributes !== undefined && attributes !== null,
  );
const REACTIVATION = { kind: 'reactivation', body: {} } as const;

test('an agreement continues as new after about 200 events', async () => {
  const provider = only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')) });
  await temporal.run(provider, async () => {
    const { client, taskQueue } = temporal;
    const uid = `agr-${randomUUID()}`;
    const workflowId = agreementWorkflowId(uid);
    const args = [{ uid, connectionId: 'acme', mandate: A_MANDATE }];
    const first = await client.workflow.start(AGREEMENT_WORKFLOW, { taskQueue, workflowId, args });
    const handle = client.workflow.getHandle(workflowId);
    let longest = 0;
    for (let left = SIGNALS; left > 0; left -= 1) {
      await handle.signal(handOver);
      await handle.query(getAgreement);
      longest = Math.max(longest, await eventsOf(handle));
    }
    expect((await handle.describe()).runId).not.toBe(first.firstExecutionRunId);
    expect(longest).toBeLessThan(220);
  });
});

test('a new run whose first task only refuses an update loses no later signal', async () => {
  const provider = only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')) });
  await temporal.run(provider, async () => {
    const first = await startAgreement(temporal);
    const { runId } = await first.describe();
    const handle = newestOf(temporal.client, first.uid);
    const send = (): Promise<void> => handle.signal(agreementFact, aFact('amendment_declined'));
    await Promise.all(Array.from({ length: MANY }, send));
    await eventually(
      () => handle.describe(),
      (described) => described.runId !== runId,
    );
    const refused = handle.executeUpdate(requestAction, { args: [{ key: 'k', command: REACTIVATION }] });
    await expect(refused).rejects.toThrow(WorkflowUpdateFailedError);
    await handle.query(getAgreement);
    const last = aFact('amendment_declined');
    await handle.signal(agreementFact, last);
    await eventually(
      () => handle.query(getRecord),
      ({ entries }) => entries.some(({ factId }) => factId === last.id),
    );
    const { events } = await handle.fetchHistory();
    expect(events?.filter(isLostTask)).toEqual([]);
  });
});
