import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  NOTIFICATION_WORKFLOW,
  acknowledge,
  notificationWorkflowId,
} from '../../../workflows/notification/contract.js';
import { raiseFlag } from '../../../workflows/contracts/every-workflow.js';
import { handedOver } from '../../replay/lives.js';
import { aFact } from '../../support/facts.js';
import { useTemporal } from '../../support/temporal.js';
import { ATTENTION } from '../../../workflows/contracts/search-attributes.js';

const temporal = useTemporal();

const HUGE = { ...aFact('debit.cleared'), detail: { amount: 4200, note: 'x'.repeat(1024 * 1024) } };
const SHORTENED = { ...HUGE, detail: { amount: 4200 }, dropped: true };

test.each([
  ['a notification', aFact('investigations.message_received'), undefined],
  ['one of 1 MiB', HUGE, SHORTENED],
])(
  '%s survives cancellation and continue-as-new and ends once an operator acknowledges it',
  async (_, fact, stored) => {
    await temporal.run({}, async () => {
      const { client, taskQueue } = temporal;
      const input = { resourceType: 'Investigation', fact };
      const workflowId = notificationWorkflowId(randomUUID());
      const run = await client.workflow.start(NOTIFICATION_WORKFLOW, {
        taskQueue,
        workflowId,
        args: [input],
      });
      await run.cancel();
      const [, newest] = await handedOver(temporal, run);
      const flags = async () => (await newest.describe()).typedSearchAttributes.get(ATTENTION) ?? [];
      expect(await flags()).toEqual(['orphan']);
      await newest.executeUpdate(acknowledge, { args: [{ by: 'ops', reason: 'read' }] });
      expect(await newest.result()).toMatchObject({
        ...input,
        fact: stored ?? fact,
        ...{ state: 'acknowledged', acknowledgement: { by: 'ops', reason: 'read' } },
      });
      expect(await flags()).toEqual([]);
    });
  },
);

test('a flag that others raise is published and recorded', async () => {
  await temporal.run({}, async () => {
    const { client, taskQueue } = temporal;
    const args = [{ resourceType: 'Investigation', fact: aFact('investigations.message_received') }];
    const workflowId = notificationWorkflowId(randomUUID());
    const run = await client.workflow.start(NOTIFICATION_WORKFLOW, { taskQueue, workflowId, args });
    await run.signal(raiseFlag, {
      code: 'conflict',
      since: args[0]?.fact.receivedAt ?? '',
      detail: 'd',
      next: 'n',
    });
    await run.executeUpdate(acknowledge, { args: [{ by: 'ops', reason: 'read' }] });
    expect(await run.result()).toMatchObject({ attention: [{ code: 'conflict' }] });
    expect((await run.describe()).typedSearchAttributes.get(ATTENTION)).toEqual(['conflict']);
  });
});
