import { expect, test, describe } from 'vitest';
import { anApi, post, sentOf } from '../../../support/api/app.js';
import { aPayment, aPaymentView, problemIn } from '../../../support/api/builders.js';

const RETRY = '/v1/payments/pay-1/retry';
const KEYED = { 'idempotency-key': 'key-1' };
const creditor = { party_name: 'B Biller', account_identifier: { type: 'bban', value: '200002-55550001' } };

test('POST /v1/payments/{uid}/retry passes on its key, principal and creditor, and returns all attempts', async () => {
  const api = anApi();
  const [startedAt, endedAt] = ['2026-10-01T02:00:00.000Z', '2026-10-01T02:00:05.000Z'];
  const attempts = [
    { n: 1, startedAt, state: 'failed' as const, endedAt, failure: { code: 'AM04' } },
    { n: 2, startedAt: endedAt, state: 'retrying' as const },
  ];
  api.door.payments.view.mockResolvedValue(aPaymentView({ state: 'retrying', attempts }));
  const response = await post(api, RETRY, { creditor }, KEYED);
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({
    data: {
      state: 'retrying',
      attempts: [
        {
          n: 1,
          state: 'failed',
          started_at: startedAt,
          ended_at: endedAt,
          sent: true,
          failure: { code: 'AM04' },
        },
        { n: 2, state: 'retrying', ended_at: null, failure: null },
      ],
    },
  });
  const request = { key: expect.any(String) as string, by: expect.any(String) as string, creditor };
  expect(api.door.payments.retry).toHaveBeenCalledExactlyOnceWith('pay-1', request);
});

test('a retry policy is not sent to the provider', async () => {
  const api = anApi();
  const retry = { attempts: 3, every_seconds: 3600 };
  await post(api, '/v1/agreements/agr-1/payments', { ...aPayment(), retry });
  const [, order, , handling] = api.door.payments.request.mock.lastCall ?? [];
  expect(handling).toEqual({ retry: { attempts: 3, everySeconds: 3600 } });
  expect(order).not.toHaveProperty('retry');
});

test('a retry with a creditor without an account is refused', async () => {
  const api = anApi();
  const problem = await problemIn(await post(api, RETRY, { creditor: { party_name: 'B' } }, KEYED));
  expect(problem).toMatchObject({ code: 'invalid_request', pointers: ['/creditor/account_identifier'] });
  expect(sentOf(api.door)).toBe(0);
});

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

const WITHDRAWAL = '/v1/payments/pay-1/withdrawal';
const ORDERED_TWICE = { reason: 'ordered twice' };

test('POST /v1/payments/{uid}/withdrawal passes on the reason and principal', async () => {
  const api = anApi();
  api.door.payments.view.mockResolvedValue(aPaymentView({ state: 'withdrawn' }));
  const response = await post(api, WITHDRAWAL, ORDERED_TWICE);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: { uid: 'pay-1', state: 'withdrawn' } });
  const withdrawal = { ...ORDERED_TWICE, by: expect.any(String) as string };
  expect(api.door.payments.withdraw).toHaveBeenCalledExactlyOnceWith('pay-1', withdrawal);
});

test('a withdrawal without a reason is refused', async () => {
  const api = anApi();
  expect((await post(api, WITHDRAWAL, {})).status).toBe(400);
  expect(api.door.payments.withdraw).not.toHaveBeenCalled();
});
