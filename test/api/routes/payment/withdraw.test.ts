import { expect, test } from 'vitest';
import { anApi, post } from '../../../support/api/app.js';
import { aPaymentView } from '../../../support/api/builders.js';

const PATH = '/v1/payments/pay-1/withdrawal';
const BODY = { reason: 'ordered twice' };

test('POST /v1/payments/{uid}/withdrawal passes on the reason and principal', async () => {
  const api = anApi();
  api.door.payments.view.mockResolvedValue(aPaymentView({ state: 'withdrawn' }));
  const response = await post(api, PATH, BODY);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: { uid: 'pay-1', state: 'withdrawn' } });
  const withdrawal = { ...BODY, by: expect.any(String) as string };
  expect(api.door.payments.withdraw).toHaveBeenCalledExactlyOnceWith('pay-1', withdrawal);
});

test('a withdrawal without a reason is refused', async () => {
  const api = anApi();
  expect((await post(api, PATH, {})).status).toBe(400);
  expect(api.door.payments.withdraw).not.toHaveBeenCalled();
});
