// What each version of the API takes and tells of a client.
import { expect, test } from 'vitest';
import { aClient, aLegacyClient, aPaymentAccount } from './client-requests.js';
import { aWorld } from './world.js';

const on = (version: string) => ({ 'Service-API-Version': version });
const LEGACY = ['20250101', '20260101'];

test.each(
  [
    { version: '20260901', field: 'risk_level', value: 'low' },
    { version: '20260901', field: 'relationship', value: 'franchise' },
    ...LEGACY.map((version) => ({ version, field: 'parent_client_id', value: null })),
  ].flatMap((row) => [
    { ...row, method: 'post' as const },
    { ...row, method: 'patch' as const },
  ]),
)('$version refuses $field on $method with 400, naming both', async ({ version, field, value, method }) => {
  const { caller } = await aWorld();
  const { data } = await caller.post('/clients', aClient());
  const answer =
    method === 'post'
      ? await caller.post('/clients', { ...aClient(), [field]: value }, on(version))
      : await caller.patch(`/clients/${data.id ?? ''}`, { [field]: value }, on(version));
  expect(answer).toMatchObject({ status: 400, errors: [{ title: 'Validation Failed' }] });
  expect(answer.errors[0]?.detail).toContain(`${field} (on version ${version}:`);
});

test.each(LEGACY)('%s asks for the risk level, tells it, and knows no parent', async (version) => {
  const { caller } = await aWorld();
  const without = await caller.post('/clients', aClient(), on(version));
  expect([without.status, without.errors[0]?.detail]).toEqual([422, expect.stringContaining('risk_level')]);
  const wrong = await caller.post('/clients', aLegacyClient({ risk_level: 'extreme' }), on(version));
  expect(wrong.status).toBe(422);
  const made = await caller.post('/clients', aLegacyClient({ relationship: 'franchise' }), on(version));
  expect([made.status, made.data['risk_level']]).toEqual([201, 'medium']);
  expect(made.data).not.toHaveProperty('parent_client_id');
  expect(
    (await caller.patch(`/clients/${made.data.id ?? ''}`, { risk_level: 'low' }, on(version))).status,
  ).toBe(202);
  expect((await caller.get('/clients', on(version))).list[0]?.['risk_level']).toBe('low');
});

test.each([
  ['7995', 'high'],
  ['6051', 'high'],
  ['7997', 'low'],
])('20260901 derives the risk of %s and keeps it to itself', async (merchant_category_code, risk) => {
  const { caller } = await aWorld();
  const { data } = await caller.post('/clients', aClient({ merchant_category_code }));
  expect(data).not.toHaveProperty('risk_level');
  const path = `/clients/${data.id ?? ''}`;
  expect((await caller.get(path)).data).not.toHaveProperty('risk_level');
  expect((await caller.get(path, on('20260101'))).data['risk_level']).toBe(risk);
});

test.each(LEGACY)('%s has no counterparties, not even bad ones', async (version) => {
  const { caller, control } = await aWorld();
  for (const body of [{ payment_accounts: [aPaymentAccount()] }, { surprise: 1 }]) {
    expect((await caller.post('/counterparties', body, on(version))).status).toBe(404);
  }
  expect(control.ledger().filter(({ kind }) => kind === 'change')).toEqual([]);
});
