import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fastForward, skipTime, useTemporal } from '../../support/temporal.js';

const temporal = useTemporal();

test('skipping time does nothing for a closed run and fails for a missing one', async () => {
  const { client } = temporal;
  const workflowId = `over-${randomUUID()}`;
  const handle = await client.workflow.start('any', { taskQueue: 'nobody', workflowId });
  await handle.terminate();
  await fastForward(client, workflowId, 60);
  await skipTime(client, workflowId);
  await expect(fastForward(client, `none-${randomUUID()}`, 60)).rejects.toThrow(/not found/i);
});
