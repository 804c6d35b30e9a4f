import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { anAgreement, openHttpStack, type HttpStack } from '../support/http-stack.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();

const RETRY_SECONDS = 301;

async function newestTaken({ sandbox: { control } }: HttpStack): Promise<boolean> {
  await control.flushWebhooks();
  const newest = control.ledger().findLast((entry) => entry.kind === 'webhook');
  const isTaken = newest?.kind === 'webhook' && newest.status === 200;
  if (!isTaken) await control.advance(RETRY_SECONDS);
  return isTaken;
}

test('a new worker applies events received without a worker, and a terminated agreement continues from its record', async () => {
  const taskQueue = `road-${randomUUID()}`;
  const http = await openHttpStack(temporal, taskQueue);
  const { backend, sandbox } = http;
  try {
    const connection = `con-${randomUUID()}`;
    const agreement = anAgreement(undefined, { connection });
    const { uid } = agreement;
    const begin = async () => {
      await http.consent(connection);
      await backend.create(agreement);
    };
    await temporal.run(http.activities, begin, taskQueue);
    sandbox.control.actAsPayer(uid, 'suspend');
    await sandbox.control.flushWebhooks();
    const delivered = sandbox.control.ledger().filter((entry) => entry.kind === 'webhook');
    expect(delivered.map((entry) => entry.kind === 'webhook' && entry.status)).toEqual([200, 200]);
    const goOn = async () => {
      await backend.untilAgreement(uid, ({ state }) => state === 'suspended');
      await temporal.client.workflow.getHandle(agreementWorkflowId(uid)).terminate('lost for this test');
      sandbox.control.actAsPayer(uid, 'reactivate');
      await eventually(() => newestTaken(http), Boolean);
      const again = await backend.untilAgreement(uid, ({ state }) => state === 'active');
      expect(again).toMatchObject({ adopted: false, requested_by: 'test' });
    };
    await temporal.run(http.activities, goOn, taskQueue);
  } finally {
    await http.close();
  }
});
