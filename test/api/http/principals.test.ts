import { describe, expect, test } from 'vitest';
import { anOnboarding } from '../../support/an-onboarding.js';
import { KEYS, anApi, post, type Api } from '../../support/api/app.js';
import {
  aPayment,
  aPaymentView,
  aRefundOrder,
  aRefundView,
  anAgreement,
  problemIn,
} from '../../support/api/builders.js';
import { aClientOrder } from '../../support/workflows/provider.js';

const PAYMENTS = '/v1/agreements/agr-1/payments';
const REFUNDS = '/v1/payments/pay-1/refunds';
const { uid: _, ...payment } = aPayment();
const { refund_payment } = aRefundOrder();
const refund = { refund_payment };
const clientOrder = { connection: 'acme', ...aClientOrder() };
const { id: __, ...onboarding } = anOnboarding('acme');
const counterparty = { connection: 'acme', ...onboarding.counterparty };
const batch = { kind: 'agreements', connection: 'acme', rows: [anAgreement()] };

const send = (api: Api, path: string, body: object, key: string) =>
  post(api, path, body, { authorization: `Bearer ${key}`, 'idempotency-key': 'inv-1' });

describe.each<[string, object, (api: Api) => unknown[]]>([
  [PAYMENTS, payment, ({ door }) => door.payments.request.mock.calls.map(([uid]) => uid)],
  [REFUNDS, refund, ({ door }) => door.refunds.request.mock.calls.map(([{ uid }]) => uid)],
  ['/v1/connections', {}, ({ door }) => door.connections.view.mock.calls.map(([id]) => id)],
  [
    '/v1/clients',
    clientOrder,
    ({ door }) => door.clients.start.mock.calls.map(([{ uidOn }]) => uidOn('acme')),
  ],
  [
    '/v1/counterparties',
    counterparty,
    ({ door }) => door.counterparties.start.mock.calls.map(([{ on }]) => on('acme').uid),
  ],
  ['/v1/onboardings', onboarding, ({ door }) => door.onboardings.start.mock.calls.map(([{ id }]) => id)],
  ['/v1/batches', batch, ({ door }) => door.batches.start.mock.calls.map(([{ id }]) => id)],
])('POST %s repeated with one idempotency key and body', (path, body, uidsIn) => {
  test('creates one resource per principal, even if the principal uses two API keys', async () => {
    const api = anApi();
    for (const key of [KEYS.all, KEYS.allRotated, KEYS.other]) {
      const { status } = await send(api, path, body, key);
      expect([200, 201, 202]).toContain(status);
    }
    const [first, rotated, other] = uidsIn(api);
    expect(first).toEqual(expect.any(String));
    expect(rotated).toBe(first);
    expect(other).not.toBe(first);
  });
});

test('onboardings of two principals with the same id have parts with different uids', async () => {
  const api = anApi();
  for (const key of [KEYS.all, KEYS.other])
    await send(api, '/v1/onboardings', { ...onboarding, id: 'o-1' }, key);
  const [one, other] = api.door.onboardings.start.mock.calls.map(([{ parts }]) => parts.agreement.uid);
  expect(one).not.toBe(other);
});

const FIRST = { requestedBy: KEYS.all };
const REQUESTED: [string, object, (api: Api, requested: { requestedBy?: string }) => unknown][] = [
  [
    PAYMENTS,
    { uid: 'pay-1', ...payment },
    ({ door }, requested) => door.payments.request.mockResolvedValue(aPaymentView(requested)),
  ],
  [
    `${PAYMENTS}?dry_run=true`,
    { uid: 'pay-1', ...payment },
    ({ door }, requested) => door.payments.view.mockResolvedValue(aPaymentView(requested)),
  ],
  [
    REFUNDS,
    { uid: 'ref-1', ...refund },
    ({ door }, requested) => door.refunds.request.mockResolvedValue(aRefundView(requested)),
  ],
];

describe.each(REQUESTED)('POST %s with the uid of an existing resource', (path, body, found) => {
  test('is refused only if the resource was requested by another principal', async () => {
    const api = anApi();
    found(api, FIRST);
    expect(await problemIn(await send(api, path, body, KEYS.other))).toMatchObject({
      status: 422,
      code: 'idempotency_conflict',
      detail: expect.stringMatching(/Another caller has already used this/) as string,
      pointers: ['/uid'],
    });
    expect((await send(api, path, body, KEYS.allRotated)).ok).toBe(true);
    found(api, { requestedBy: undefined } as object);
    expect((await send(api, path, body, KEYS.other)).ok).toBe(true);
  });
});
