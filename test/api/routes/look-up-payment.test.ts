// What operators ask of a payment: to look it up, and to settle what a flag warned of.
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/errors.js';
import { KEYS, anApi, post } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';

const KEYED = { 'idempotency-key': 'key-1' };

test('POST /v1/payments/{uid}/look-up has it looked up', async () => {
  const api = anApi();
  expect((await post(api, '/v1/payments/pay-1/look-up', {})).status).toBe(202);
  expect(api.door.payments.lookUp).toHaveBeenCalledExactlyOnceWith('pay-1');
});

describe('POST /v1/payments/{uid}/attention/{code}/resolution', () => {
  const PATH = '/v1/payments/pay-1/attention/parked/resolution';
  const BODY = { reason: 'asked them', decision: 'close' };

  test('passes on what was decided, why, and by which key', async () => {
    const api = anApi();
    expect((await post(api, PATH, BODY, KEYED)).status).toBe(200);
    const word = {
      ...BODY,
      code: 'parked',
      key: expect.any(String) as string,
      by: expect.any(String) as string,
    };
    expect(api.door.payments.resolveAttention).toHaveBeenCalledExactlyOnceWith('pay-1', word);
  });

  test('is for operators alone', async () => {
    const api = anApi();
    const headers = { ...KEYED, authorization: `Bearer ${KEYS.write}` };
    expect((await post(api, PATH, BODY, headers)).status).toBe(403);
  });

  test.each([
    ['payment_final', 409],
    ['no_such_attention', 409],
    ['decision_needed', 422],
  ] as const)('%s is %i', async (code, status) => {
    const api = anApi();
    api.door.payments.resolveAttention.mockRejectedValue(new ApiError(code, 'No.'));
    expect(await problemIn(await post(api, PATH, BODY, KEYED))).toMatchObject({ status, code });
  });
});
