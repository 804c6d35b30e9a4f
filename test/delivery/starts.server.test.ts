import { randomUUID } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { agreementStart, begin } from '../../delivery/starts.js';
import { createWorker } from '../support/workers.js';
import { SEALED, eventually, useTemporal } from '../support/temporal.js';
import { A_MANDATE, fetchedAgreement, only } from '../support/workflows/provider.js';

const MANY = 60;
const temporal = useTemporal();

test(`an agreement of one merchant does not wait for ${MANY} new agreements of another`, async () => {
  const taskQueue = `fair-${randomUUID()}`;
  const calls: string[] = [];
  const activities = only({
    createAgreement: ({ uid, connectionId }) => {
      calls.push(connectionId);
      return Promise.resolve(fetchedAgreement(uid, 'active'));
    },
  });
  const start = (connectionId: string) => {
    const input = { uid: randomUUID(), connectionId, mandate: A_MANDATE };
    return begin({ client: temporal.client, taskQueue }, agreementStart(input, new Date()));
  };
  for (let count = 0; count < MANY; count += 1) await start('many');
  await start('one');

  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  try {
    const worker = await createWorker(
      { connection, dataConverter: SEALED, taskQueue },
      activities,
      temporal.client,
    );
    await worker.runUntil(() =>
      eventually(
        () => calls.length,
        (count) => count > MANY,
      ),
    );
  } finally {
    await connection.close();
  }
  expect(calls.indexOf('one')).toBeLessThan(MANY / 3);
});
