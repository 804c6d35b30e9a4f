import { describe, expect, test } from 'vitest';
import { anApi, post } from '../../../support/api/app.js';

const KEYED = { 'idempotency-key': 'key-1' };

test('POST /v1/payments/{uid}/look-up starts a look-up', async () => {
  const api = anApi();
  expect((await post(api, '/v1/payments/pay-1/look-up', {})).status).toBe(202);
  expect(api.door.payments.lookUp).toHaveBeenCalledExactlyOnceWith('pay-1');
});

describe('POST /v1/payments/{uid}/attention/{code}/resolution', () => {
  const PATH = '/v1/payments/pay-1/attention/parked/resolution';
  const BODY = { reason: 'asked them', decision: 'close' };

  test('passes on the decision, reason and principal', async () => {
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
});
