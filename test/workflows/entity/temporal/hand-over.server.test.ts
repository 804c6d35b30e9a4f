// When a run hands over to a fresh one: a history is read again from its beginning whenever its run has to be woken.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  AGREEMENT_WORKFLOW,
  agreementWorkflowId,
  getAgreement,
} from '../../../../workflows/agreement/contract.js';
import { handOver } from '../../../../workflows/entity/contract.js';
import { eventsOf, useTemporal } from '../../../support/temporal.js';
import { A_MANDATE, fetchedAgreement, only } from '../../../support/workflows/provider.js';

const temporal = useTemporal();
/** Each costs four events: the signal and its task. */
const SIGNALS = 60;

test('no run of an agreement grows much beyond two hundred events', async () => {
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
      // Answered once the signal has been handled.
      await handle.query(getAgreement);
      longest = Math.max(longest, await eventsOf(handle));
    }
    expect((await handle.describe()).runId).not.toBe(first.firstExecutionRunId);
    expect(longest).toBeLessThan(220);
  });
});
