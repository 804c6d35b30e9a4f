import { Client, Connection } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { readPayment } from '../../../activities/onboard/payment.js';
import { aPaymentView, anOrder } from '../../support/api/builders.js';
import { NO_RECORDS } from '../../support/no-records.js';

test('a payment that only an event has named is still to be requested', async () => {
  const temporal = new Client({ connection: Connection.lazy() });
  const handle = temporal.workflow.getHandle('payment/pay-1');
  const query = () => Promise.resolve(aPaymentView({ order: undefined }));
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue(Object.assign(handle, { query }));
  const request = { uid: 'pay-1', order: anOrder() };
  const part = { part: 'payment', uid: 'pay-1', reportTo: 'onb', request } as const;
  expect(await readPayment({ temporal, records: NO_RECORDS }, part)).toBeUndefined();
});
