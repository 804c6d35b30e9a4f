import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  NOTIFICATION_WORKFLOW,
  acknowledge,
  notificationWorkflowId,
} from '../../../workflows/notification/contract.js';
import { handedOver } from '../../replay/lives.js';
import { aFact } from '../../support/facts.js';
import { useTemporal } from '../../support/temporal.js';
import { ATTENTION } from '../../../workflows/entity/search-attributes.js';

const temporal = useTemporal();

test('a notification survives cancellation and continue-as-new and ends once an operator acknowledges it', async () => {
  await temporal.run({}, async () => {
    const { client, taskQueue } = temporal;
    const input = { resourceType: 'Investigation', fact: aFact('investigations.message_received') };
    const workflowId = notificationWorkflowId(randomUUID());
    const run = await client.workflow.start(NOTIFICATION_WORKFLOW, { taskQueue, workflowId, args: [input] });
    await run.cancel();
    const [, newest] = await handedOver(temporal, run);
    const flags = async () => (await newest.describe()).typedSearchAttributes.get(ATTENTION) ?? [];
    expect(await flags()).toEqual(['orphan']);
    await newest.executeUpdate(acknowledge, { args: [{ by: 'ops', reason: 'read' }] });
    expect(await newest.result()).toMatchObject({
      ...input,
      ...{ state: 'acknowledged', acknowledgement: { by: 'ops', reason: 'read' } },
    });
    expect(await flags()).toEqual([]);
  });
});
