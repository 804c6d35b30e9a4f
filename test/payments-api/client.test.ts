import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CALL,
  anAgreementRequest,
  paymentsApi,
  anAgreementAnswer,
} from '../support/payments-api/examples.js';
import { json, startLoopback, thrownBy, type Loopback } from '../support/payments-api/loopback.js';
import { fakeProvider } from '../support/payments-api/fake-provider.js';

let provider: Loopback;
beforeAll(async () => {
  provider = await startLoopback();
});
afterAll(() => provider.close());

test('a create answer with only id and initiator is accepted', async () => {
  const initiator = { name: 'B Biller', legal_name: 'B', abn: '1', acn: '2', client_id: '0195' };
  provider.answers(json(201, { data: { id: 'some-id', initiator } }));
  const snapshot = await paymentsApi(provider.url).createAgreement(anAgreementRequest(), CALL);
  expect(snapshot).toMatchObject({
    uid: 'agr-2f9c',
    state: 'pending',
    mandate: { initiator: { client_id: '0195' } },
  });
});

test.each([{}, { data: null }, { data: [] }, { data: 'yes' }])(
  'a create answer of %j is malformed because its outcome is unknown',
  async (answer) => {
    provider.answers(json(201, answer));
    const error = await thrownBy(() => paymentsApi(provider.url).createAgreement(anAgreementRequest(), CALL));
    expect(error).toMatchObject({ code: 'malformed' });
  },
);

test('an agreement with only a uid has state unknown', async () => {
  provider.answers(json(200, { data: { uid: 'agr-2f9c' } }));
  expect(await paymentsApi(provider.url).getAgreement('agr-2f9c', CALL)).toMatchObject({ state: 'unknown' });
});

test('a uid appears unencoded in the path', async () => {
  provider.answers(json(200, { data: { uid: '~a.b_C-9', state: 'active' } }));
  await paymentsApi(provider.url).getAgreement('~a.b_C-9', CALL);
  expect(provider.requests[0]?.path).toBe('/payto/agreements/~a.b_C-9');
});

const IDENTIFICATION = { initiator: { client_id: '0195' }, debtor: { payment_account_uid: 'acc-1' } };

test.each([
  { status: 200, body: { data: anAgreementAnswer() } },
  { status: 201, body: { data: { id: 'agr-2f9c', state: 'active' } } },
])('adding an identification returns the agreement under $status', async (answer) => {
  const { api } = fakeProvider(answer);
  const agreement = await api.addIdentification('agr-2f9c', IDENTIFICATION, CALL);
  expect(agreement).toMatchObject({ uid: 'agr-2f9c', state: 'active' });
});

test.each([
  { status: 202 },
  { status: 204 },
  { status: 200, body: {} },
  { status: 200, body: { data: null } },
])('an identification answer of %j counts as accepted', async (answer) => {
  const { api } = fakeProvider(answer);
  expect(await api.addIdentification('agr-2f9c', IDENTIFICATION, CALL)).toBeUndefined();
});

test('an update and a redelivery are accepted without a body', async () => {
  const { api } = fakeProvider({ status: 202 });
  expect(await api.updateClient('0195', { legal_name: 'New' }, CALL)).toBeUndefined();
  expect(await api.redeliverWebhook('del-1', CALL)).toBeUndefined();
});
