import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { anAgreement, openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { onTheRoad } from '../support/on-the-road.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

/** Five minutes after the bridge could not take a webhook, the provider sends it again. */
const RETRY_SECONDS = 301;

async function newestTaken({ sandbox: { control } }: Road): Promise<boolean> {
  await control.flushWebhooks();
  const newest = control.ledger().findLast((entry) => entry.kind === 'webhook');
  const isTaken = newest?.kind === 'webhook' && newest.status === 200;
  if (!isTaken) await control.advance(RETRY_SECONDS);
  return isTaken;
}

describe('the bridge', () => {
  test('keeps what comes while no worker runs, and it is applied when one comes', async () => {
    const taskQueue = `road-${randomUUID()}`;
    const road = await openRoad(temporal, taskQueue);
    try {
      const connection = `con-${randomUUID()}`;
      const agreement = anAgreement(undefined, { connection });
      const begin = async () => {
        await road.consent(connection);
        await road.post('/v1/agreements?wait=20', agreement);
      };
      await temporal.run(road.activities, begin, taskQueue);
      road.sandbox.control.actAsPayer(agreement.uid, 'suspend');
      await road.sandbox.control.flushWebhooks();
      const delivered = road.sandbox.control.ledger().filter((entry) => entry.kind === 'webhook');
      expect(delivered.map((entry) => entry.kind === 'webhook' && entry.status)).toEqual([200, 200]);
      const untilSuspended = () =>
        road.until(`/v1/agreements/${agreement.uid}`, ({ state }) => state === 'suspended');
      await temporal.run(road.activities, untilSuspended, taskQueue);
    } finally {
      await road.close();
    }
  });

  test('adopts an agreement of which only the provider has known', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const agreement = anAgreement(undefined, { connection });
      await road.post('/v1/agreements?wait=20', agreement);
      const handle = temporal.client.workflow.getHandle(agreementWorkflowId(agreement.uid));
      await handle.terminate('lost, for the test');
      road.sandbox.control.actAsPayer(agreement.uid, 'suspend');
      await eventually(() => newestTaken(road), Boolean);
      await road.until(
        `/v1/agreements/${agreement.uid}`,
        ({ adopted, state }) => adopted === true && state === 'suspended',
      );
    });
  });
});
