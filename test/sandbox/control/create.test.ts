import { expect, test } from 'vitest';
import { z } from 'zod';
import { anAgreement, aPayment } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

const Listed = z.looseObject({ data: z.array(z.looseObject({})) });

async function put(url: string, path: string, body: object, method = 'PUT'): Promise<number> {
  return (await fetch(`${url}/_control${path}`, { method, body: JSON.stringify(body) })).status;
}
const post = (url: string, path: string, body: object) => put(url, path, body, 'POST');

test('the service can suspend an agreement, and cannot expire it afterwards', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  expect(await post(world.url, `/agreements/${uid}/service`, { action: 'service_suspend' })).toBe(200);
  expect(world.control.state().agreements[0]).toMatchObject({
    state: 'suspended',
    state_caused_by: 'zepto_system',
  });
  expect(await post(world.url, `/agreements/${uid}/service`, { action: 'expire' })).toBe(409);
});

test('the next command of the initiator can be scripted', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  const script = { action: 'suspension', simulate: 'suspension_failed' };
  expect(await put(world.url, `/agreements/${uid}/script`, script)).toBe(200);
  const body = { reason: 'initiating_party_requested', narrative: 'x' };
  expect((await world.caller.post(`/payto/agreements/${uid}/suspension`, body)).status).toBe(202);
  await world.control.advance(60);
  expect(world.receiver.types().at(-1)).toBe('payto_agreement.suspension_failed');
});

test('a payment under investigation can be resolved', async () => {
  const world = await aWorld();
  const request = aPayment(await anActiveAgreement(world), {
    sandbox: { simulate: 'requires_investigation' },
  });
  await world.caller.post('/payto/payments', request);
  await world.control.advance(60);
  expect(await post(world.url, `/payments/${request.uid}/outcome`, { outcome: 'settled' })).toBe(200);
  expect(world.control.state().payments[0]).toMatchObject({ state: 'settled' });
  expect(await post(world.url, `/payments/${request.uid}/outcome`, { outcome: 'failed' })).toBe(409);
});

test('clients and float accounts can be changed', async () => {
  const { url, control } = await aWorld();
  expect(await put(url, '/clients/primary/services', { service: 'payto', status: 'suspended' })).toBe(200);
  expect(await put(url, '/clients/primary', { merchant_category_code: '7995' })).toBe(200);
  expect(control.state().clients[0]).toMatchObject({
    services: { payto: 'suspended' },
    merchant_category_code: '7995',
  });
  const [account] = control.state().float_accounts;
  expect(await put(url, `/float-accounts/${account?.id}`, { available_balance: 12_345 })).toBe(200);
  expect(control.state().float_accounts[0]).toMatchObject({ available_balance: 12_345 });
});

test('limits and organisation change only in the given fields', async () => {
  const { url, control } = await aWorld();
  const before = control.state().account;
  expect(await put(url, '/limits', { payment_cents: 100, payments_daily_cents: 500 })).toBe(200);
  expect(await put(url, '/limits', { payments_daily_cents: null })).toBe(200);
  expect(await put(url, '/organisation', { deep_hierarchy: true })).toBe(200);
  expect(await put(url, '/organisation', { custom_debtor: true })).toBe(200);
  expect(control.state().account).toEqual({
    ...before,
    limits: { ...before.limits, payment_cents: 100 },
    deep_hierarchy: true,
    custom_debtor: true,
  });
});

test('the ledger can be filtered by kind, operation, resource and sequence number', async () => {
  const world = await aWorld();
  const [first, second] = [anAgreement(), anAgreement()];
  for (const request of [first, second]) await world.caller.post('/payto/agreements', request);
  await world.control.advance(1);
  await world.caller.get(`/payto/agreements/${first.uid}`);
  const ask = async (query: string) => {
    const response = await fetch(`${world.url}/_control/ledger?${query}`);
    return Listed.parse(await response.json()).data;
  };
  expect(await ask('kind=call&operation=get_agreement')).toMatchObject([{ resource_uid: first.uid }]);
  const ofSecond = await ask(`resource_uid=${second.uid}`);
  expect(new Set(ofSecond.map(({ kind }) => kind))).toEqual(new Set(['change', 'call', 'webhook']));
  expect(ofSecond.every(({ resource_uid }) => resource_uid === second.uid)).toBe(true);
  const last = world.control.ledger().at(-2)?.seq ?? 0;
  expect(await ask(`since=${last}`)).toMatchObject([{ kind: 'call', operation: 'get_agreement' }]);
  expect(await ask('kind=token&operation=get_agreement')).toEqual([]);
});

test('deliveries are listed with their faults, including forged ones', async () => {
  const world = await aWorld();
  world.control.addFault({ on: 'webhook', do: 'forge', times: 1 });
  await anActiveAgreement(world);
  const response = await fetch(`${world.url}/_control/deliveries`);
  expect(Listed.parse(await response.json()).data).toMatchObject([
    { event_type: 'payto_agreement.cancelled', fault: 'forge', attempts: 1, state: 'completed' },
    { event_type: 'payto_agreement.activated', fault: null, attempts: 1, state: 'completed' },
  ]);
});

test.each(['delay', 'repeat', 'reorder', 'batch', 'lose'] as const)(
  'the ledger shows %s for each affected webhook',
  async (action) => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: action, times: 1 });
    await anActiveAgreement(world);
    await world.control.flushWebhooks();
    const lines = world.control.ledger(0, { kind: 'webhook' });
    expect(lines.map((line) => 'fault' in line && line.fault)).toEqual(
      Array(action === 'repeat' ? 2 : 1).fill(action),
    );
  },
);
