import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { readActivities } from '../../../activities/resource/read.js';
import { CALL_OPTIONS } from '../../../workflows/on-temporal/call-options.js';
import { fetchedPayment } from '../../support/workflows/provider.js';
import { unanswered } from '../../support/workflows/virtual.js';
import type { Dependencies } from '../../../activities/dependencies.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { PaymentSnapshot } from '../../../domain/payment/lifecycle.js';

const WATCHED = {
  uid: 'pay-1',
  connectionId: 'acme',
  pollIntervals: 'payment',
  snapshotState: 'created',
} as const;

test.each([
  ['lookUp', 'lookUpPayment'],
  ['find', 'findPayment'],
  ['watch', 'watchPayment'],
] as const)('%s heartbeats while it waits for the provider', async (read, call) => {
  const { answer, open } = unanswered<Fetched<PaymentSnapshot>>();
  const reads = readActivities({} as Dependencies, { resource: 'payment', fetchSnapshot: () => answer });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  let heartbeats = 0;
  environment.on('heartbeat', () => (heartbeats += 1));
  const reading = environment.run(() => reads[read](WATCHED));
  await expect.poll(() => heartbeats, { timeout: 20_000 }).toBeGreaterThan(0);
  const fetched = fetchedPayment('pay-1', 'settled');
  open(fetched);
  expect(await reading).toEqual(fetched);
  expect(CALL_OPTIONS[call]).toHaveProperty('options.heartbeatTimeout');
});
