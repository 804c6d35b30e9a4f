import { expect, test } from 'vitest';
import { ApiError } from '../../../api/errors.js';
import { KEYS, anApi, post } from '../../support/api/app.js';
import { aPaymentView, problemIn } from '../../support/api/builders.js';

const PATH = '/v1/payments/pay-1/withdrawal';
const BODY = { reason: 'ordered twice' };

test('POST /v1/payments/{uid}/withdrawal passes on why, and by which key', async () => {
  const api = anApi();
  api.door.payments.view.mockResolvedValue(aPaymentView({ state: 'withdrawn' }));
  const response = await post(api, PATH, BODY);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: { uid: 'pay-1', state: 'withdrawn' } });
  const withdrawal = { ...BODY, by: expect.any(String) as string };
  expect(api.door.payments.withdraw).toHaveBeenCalledExactlyOnceWith('pay-1', withdrawal);
});

test.each([
  ['payment_submitted', 409],
  ['payment_final', 409],
  ['not_found', 404],
] as const)('%s is %i', async (code, status) => {
  const api = anApi();
  api.door.payments.withdraw.mockRejectedValue(new ApiError(code, 'No.'));
  expect(await problemIn(await post(api, PATH, BODY))).toMatchObject({ status, code });
});

test('a key that only reads is refused, as is a body without a reason', async () => {
  const api = anApi();
  expect((await post(api, PATH, BODY, { authorization: `Bearer ${KEYS.read}` })).status).toBe(403);
  expect((await post(api, PATH, {})).status).toBe(400);
  expect(api.door.payments.withdraw).not.toHaveBeenCalled();
});
