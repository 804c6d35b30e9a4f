import { expect, test } from 'vitest';
import { z } from 'zod';
import { anApi, get, post } from '../../../support/api/app.js';
import { aPaymentView, aRefundOrder, aRefundView, problemIn } from '../../../support/api/builders.js';

const PATH = '/v1/payments/pay-1/refunds';
const { refund_payment } = aRefundOrder();
const uidIn = async (response: Response) =>
  z.object({ data: z.object({ uid: z.string() }) }).parse(await response.json()).data.uid;

test('a refund answers 202 and is requested with the fields of the provider', async () => {
  const api = anApi();
  const response = await post(api, PATH, { uid: 'ref-1', refund_payment });
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({
    data: { uid: 'ref-1', original_payment_uid: 'pay-1', refund_payment, state: 'requested', failure: null },
  });
  const asked = { uid: 'ref-1', order: aRefundOrder(), use: undefined, by: 'key-all' };
  expect(api.door.refunds.request).toHaveBeenCalledExactlyOnceWith(asked, {
    principal: 'key-all',
    connections: undefined,
  });
});

test('the same key and payment result in the same refund uid', async () => {
  const api = anApi();
  const ask = async (path: string) =>
    uidIn(await post(api, path, { refund_payment }, { 'Idempotency-Key': 'k-1' }));
  const uid = await ask(PATH);
  expect(await ask(PATH)).toBe(uid);
  expect(await ask('/v1/payments/pay-2/refunds')).not.toBe(uid);
});

test.each<[string, object, number, string, string | undefined]>([
  ['without a uid and key', { refund_payment }, 400, 'idempotency_key_required', undefined],
  ['without a source account', { uid: 'r' }, 400, 'invalid_request', '/refund_payment'],
  [
    'with its own description and a float account',
    { uid: 'r', refund_payment: { ...refund_payment, description: 'part' } },
    422,
    'provider_would_refuse',
    '/refund_payment/description',
  ],
  [
    'with an invalid account id',
    { uid: 'r', refund_payment: { ...refund_payment, float_bank_account_id: 'x' } },
    400,
    'invalid_request',
    '/refund_payment/float_bank_account_id',
  ],
])('a refund %s is refused before it is requested', async (_what, body, status, code, pointer) => {
  const api = anApi();
  const problem = await problemIn(await post(api, PATH, body));
  expect(problem).toMatchObject({ status, code });
  if (pointer !== undefined) expect(problem.errors).toMatchObject([{ pointer }]);
  expect(api.door.refunds.request).not.toHaveBeenCalled();
});

test('refunds of a payment can be listed, read, looked up and resolved', async () => {
  const api = anApi();
  const [requestedAt, outcomeAt] = ['2026-10-01T01:00:00.000Z', '2026-10-01T02:00:00.000Z'];
  const entry = { uid: 'ref-1', amount: 100, requestedAt, outcome: 'processed', outcomeAt } as const;
  api.door.payments.view.mockResolvedValue(aPaymentView({ refunds: [entry] }));
  expect(await (await get(api, PATH)).json()).toMatchObject({
    data: [{ uid: 'ref-1', amount: 100, outcome: 'processed', links: { self: '/v1/refunds/ref-1' } }],
  });
  expect(await (await get(api, '/v1/payments/pay-1')).json()).toMatchObject({ data: { refunded: 100 } });
  api.door.refunds.view.mockResolvedValue(aRefundView({ state: 'failed', failure: { code: 'AC07' } }));
  expect(await (await get(api, '/v1/refunds/ref-1')).json()).toMatchObject({
    data: {
      state: 'failed',
      failure: { code: 'AC07', title: null },
      links: { payment: '/v1/payments/pay-1' },
    },
  });
  expect((await post(api, '/v1/refunds/ref-1/look-up', {})).status).toBe(202);
  expect(api.door.refunds.lookUp).toHaveBeenCalledExactlyOnceWith('ref-1');
  const word = { reason: 'asked them', decision: 'close' };
  const path = '/v1/refunds/ref-1/attention/parked/resolution';
  expect((await post(api, path, word, { 'Idempotency-Key': 'k-2' })).status).toBe(200);
  const said = expect.objectContaining({ code: 'parked', ...word }) as object;
  expect(api.door.refunds.resolveAttention).toHaveBeenCalledExactlyOnceWith('ref-1', said);
});
