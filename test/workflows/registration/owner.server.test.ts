import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { handedOver } from '../../replay/lives.js';
import { useTemporal } from '../../support/temporal.js';
import { REGISTRATION_WORKFLOW, claim } from '../../../workflows/registration/contract.js';

const temporal = useTemporal();

test('the first claim of a business survives cancellation and continue-as-new', async () => {
  await temporal.run({}, async () => {
    const { client, taskQueue } = temporal;
    const workflowId = `registration/${randomUUID()}/53004085616`;
    const args = [{ owner: 'first' }];
    const run = await client.workflow.start(REGISTRATION_WORKFLOW, { taskQueue, workflowId, args });
    const claimed = (uid: string, insteadOf?: string) =>
      client.workflow.getHandle(workflowId).executeUpdate(claim, { args: [{ uid, insteadOf }] });
    expect(await claimed('first')).toBe('first');
    await run.cancel();
    await handedOver(temporal, run);
    expect(await claimed('second')).toBe('first');
    expect(await claimed('second', 'another')).toBe('first');
    expect(await claimed('second', 'first')).toBe('second');
    expect(await claimed('third', 'first')).toBe('second');
  });
});
