// Each operation as it goes over the wire and comes back (docs/provider.md#operations).
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CALL,
  NOW,
  anAgreementAnswer,
  anAgreementRequest,
  anEvent,
  paymentsApi,
} from '../support/payments-api/examples.js';
import { json, startLoopback, thrownBy } from '../support/payments-api/loopback.js';
import type { Loopback } from '../support/payments-api/loopback.js';

let provider: Loopback;
beforeAll(async () => {
  provider = await startLoopback();
});
afterAll(() => provider.close());

const sent = (): unknown => JSON.parse(provider.asked[0]?.body ?? 'null');

test('creates an agreement with the body that the provider publishes', async () => {
  provider.answers(json(201, { data: anAgreementAnswer({ state: 'pending' }) }));
  const snapshot = await paymentsApi(provider.url).createAgreement(anAgreementRequest(), CALL);
  expect(provider.asked[0]).toMatchObject({ method: 'POST', path: '/payto/agreements' });
  expect(provider.asked[0]?.headers['content-type']).toBe('application/json');
  expect(sent()).toEqual({
    ...anAgreementRequest(),
    creditor: { ...anAgreementRequest().creditor, ultimate_party_name: 'B Biller' },
  });
  expect(snapshot.state).toBe('pending');
});

test.each(['20250101', '20260101'])('creates an agreement in the shape of %s', async (version) => {
  provider.answers(json(201, { data: anAgreementAnswer({ state: 'pending' }) }));
  const initiator = { name: 'B Biller', legal_name: 'B Biller Pty Ltd', abn: '12345678901' };
  const request = { ...anAgreementRequest(), initiator };
  await paymentsApi(provider.url, version).createAgreement(request, CALL);
  expect(provider.asked[0]?.headers['service-api-version']).toBe(version);
  expect(sent()).toMatchObject({ uid: 'agr-2f9c', initiator });
});

test('takes a create answer that has only id and initiator, as the interface shows it', async () => {
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
  'calls a create answer of %j malformed, since its outcome is unknown',
  async (answer) => {
    provider.answers(json(201, answer));
    const error = await thrownBy(() => paymentsApi(provider.url).createAgreement(anAgreementRequest(), CALL));
    expect(error).toMatchObject({ code: 'malformed' });
  },
);

test('says duplicate by the provider’s code', async () => {
  provider.answers(
    json(422, { errors: [{ code: 'ZPAGR00', title: 'Duplicate uid', detail: 'agr-2f9c exists' }] }),
  );
  const error = await thrownBy(() => paymentsApi(provider.url).createAgreement(anAgreementRequest(), CALL));
  expect(error).toMatchObject({ code: 'rejected', status: 422, providerCodes: ['ZPAGR00'] });
});

test('reads an agreement', async () => {
  provider.answers(json(200, { data: anAgreementAnswer() }));
  const snapshot = await paymentsApi(provider.url).getAgreement('agr-2f9c', CALL);
  expect(snapshot).toMatchObject({ uid: 'agr-2f9c', state: 'active', causedBy: 'debtor' });
});

test('reads an agreement that says no more than its uid', async () => {
  provider.answers(json(200, { data: { uid: 'agr-2f9c' } }));
  expect(await paymentsApi(provider.url).getAgreement('agr-2f9c', CALL)).toMatchObject({ state: 'unknown' });
});

test('puts every character of a uid into the path as itself', async () => {
  provider.answers(json(200, { data: { uid: '~a.b_C-9', state: 'active' } }));
  await paymentsApi(provider.url).getAgreement('~a.b_C-9', CALL);
  expect(provider.asked[0]?.path).toBe('/payto/agreements/~a.b_C-9');
});

test('reads history as authenticated facts', async () => {
  provider.answers(json(200, { data: [anEvent()], links: {} }));
  const facts = await paymentsApi(provider.url).getAgreementHistory('agr-2f9c', CALL);
  expect(provider.asked[0]?.path).toBe('/payto/agreements/agr-2f9c/history?per_page=100');
  expect(facts).toEqual([
    {
      id: '01922222-0000-7000-8000-000000000001',
      type: 'suspended',
      publishedAt: '2026-10-04T22:30:00.250Z',
      receivedAt: NOW,
      source: 'history',
      authenticated: true,
      causedBy: 'debtor',
      reason: { code: 'MD16', title: 'By customer', detail: 'Asked for it' },
    },
  ]);
});
