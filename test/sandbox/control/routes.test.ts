// The control routes set what the sandbox documents, and state, ledger and deliveries show what happened without any secret.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ALL_SCOPES, consent } from '../../support/sandbox/caller.js';
import { aCounterparty, aPayToClient } from '../../support/sandbox/clients.js';
import { anAgreement, anAliasLookup, aPayment, aValidation } from '../../support/sandbox/requests.js';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

const ControlAnswer = z.looseObject({
  id: z.string().optional(),
  data: z.array(z.looseObject({})).optional(),
  errors: z.array(z.object({ detail: z.string() })).optional(),
});

async function control(url: string, line: string, body?: object) {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(`${url}/_control${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: ControlAnswer.parse(await response.json()) };
}

test('the clock advances by the given seconds, also concurrently', async () => {
  standStill();
  const world = await aWorld();
  const before = Date.parse(world.control.state().now);
  const { body } = await control(world.url, 'POST /clock', { advance_seconds: 3600 });
  expect(Date.parse(String(body['now'])) - before).toBe(3_600_000);
  await Promise.all([world.control.advance(100), world.control.advance(100)]);
  expect(Date.parse(world.control.state().now) - before).toBe(3_800_000);
});

test('due events happen in time order, each at its own time', async () => {
  standStill();
  const world = await aWorld();
  const requests = [30, 10, 20].map((delay) =>
    anAgreement({ sandbox: { simulate: 'debtor_accept', delay } }),
  );
  for (const request of requests) await world.caller.post('/payto/agreements', request);
  await world.control.advance(60);
  const changes = world.control
    .ledger()
    .flatMap((entry) => (entry.kind === 'change' && entry.to === 'active' ? [entry] : []));
  const [thirty, ten, twenty] = requests.map(({ uid }) => uid);
  expect(changes.map(({ resource_uid }) => resource_uid)).toEqual([ten, twenty, thirty]);
  const [first = 0, second = 0] = changes.map(({ at }) => Date.parse(at));
  expect(second - first).toBe(10_000);
});

test('the payer, the scheme and the outcome of commands and payments can be controlled', async () => {
  const { url, caller, control: sandbox, receiver } = await aWorld();
  const { uid } = anAgreement();
  const of = (path: string) => `/agreements/${uid}/${path}`;
  const statusOf = async (line: string, body: object) => (await control(url, line, body)).status;
  expect(await statusOf(`PUT /payers/${uid}`, { simulate: 'ignore' })).toBe(200);
  await caller.post('/payto/agreements', anAgreement({ uid }));
  await control(url, 'POST /clock', { advance_seconds: 1 });
  expect(await statusOf(`POST ${of('payer')}`, { action: 'accept' })).toBe(200);
  expect(sandbox.state().agreements[0]).toMatchObject({ state: 'active', script: { simulate: 'ignore' } });
  const again = await control(url, `POST ${of('payer')}`, { action: 'accept' });
  expect(again.status).toBe(409);
  expect(again.body.errors?.[0]?.detail).toContain(`cannot accept agreement ${uid}: its state is active`);

  const script = { simulate: 'requires_investigation' };
  expect(await statusOf('PUT /payments-script/pay-1', script)).toBe(200);
  await caller.post('/payto/payments', aPayment(uid, { uid: 'pay-1' }));
  await sandbox.advance(60);
  expect(await statusOf('POST /payments/pay-1/outcome', { outcome: 'settled' })).toBe(200);
  expect(sandbox.state().payments).toMatchObject([{ state: 'settled' }]);
  expect(await statusOf('POST /payments/pay-1/outcome', { outcome: 'failed' })).toBe(409);

  const failing = { action: 'suspension', simulate: 'suspension_failed' };
  expect(await statusOf(`PUT ${of('script')}`, failing)).toBe(200);
  const suspension = { reason: 'initiating_party_requested', narrative: 'x' };
  await caller.post(`/payto/agreements/${uid}/suspension`, suspension);
  await sandbox.advance(60);
  expect(receiver.types().at(-1)).toBe('payto_agreement.suspension_failed');

  expect(await statusOf(`POST ${of('service')}`, { action: 'service_suspend' })).toBe(200);
  const suspended = { state: 'suspended', state_caused_by: 'zepto_system' };
  expect(sandbox.state().agreements).toMatchObject([suspended]);
  expect(await statusOf(`POST ${of('service')}`, { action: 'expire' })).toBe(409);
});

test('settings change only in the given fields', async () => {
  const { url, control: sandbox } = await aWorld();
  const { account, float_accounts } = sandbox.state();
  const changes: [string, object][] = [
    ['/clients/primary/services', { service: 'payto', status: 'suspended' }],
    ['/clients/primary', { merchant_category_code: '7995' }],
    [`/float-accounts/${float_accounts[0]?.id}`, { available_balance: 12_345 }],
    ['/limits', { payment_cents: 100, payments_daily_cents: 500 }],
    ['/limits', { payments_daily_cents: null }],
    ['/organisation', { deep_hierarchy: true }],
    ['/organisation', { custom_debtor: true }],
  ];
  for (const [path, body] of changes) expect((await control(url, `PUT ${path}`, body)).status).toBe(200);
  expect(sandbox.state()).toMatchObject({
    clients: [{ services: { payto: 'suspended' }, merchant_category_code: '7995' }],
    float_accounts: [{ available_balance: 12_345 }],
  });
  const limits = { ...account.limits, payment_cents: 100 };
  expect(sandbox.state().account).toEqual({ ...account, limits, deep_hierarchy: true, custom_debtor: true });
});

test('faults can be listed and removed singly or together', async () => {
  const { url, control: sandbox } = await aWorld();
  const rule = { on: 'get_payment', do: 'error_500_before', times: 3 };
  const first = await control(url, 'POST /faults', rule);
  await control(url, 'POST /faults', { on: 'webhook', do: 'delay', delay_seconds: 5 });
  expect(sandbox.state().faults).toMatchObject([rule, { do: 'delay', delay_seconds: 5, times: null }]);
  await control(url, `DELETE /faults/${first.body.id}`);
  expect(sandbox.state().faults).toHaveLength(1);
  await control(url, 'DELETE /faults');
  expect(sandbox.state().faults).toEqual([]);
});

test('the webhook target can be set and delayed events flushed', async () => {
  const world = await aWorld({ webhookUrl: 'http://127.0.0.1:1/' });
  await control(world.url, 'PUT /webhook', { url: world.receiver.url, secret: 'new' });
  world.control.addFault({ on: 'webhook', do: 'reorder' });
  await anActiveAgreement(world);
  expect(world.control.state().webhook).toMatchObject({ url: world.receiver.url, queued: 1 });
  expect((await control(world.url, 'POST /webhooks/flush')).status).toBe(200);
  expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
});

test('grants are revoked one by one', async () => {
  const { url, control: sandbox } = await aWorld();
  await consent(url);
  const [first, second] = sandbox.state().grants;
  await control(url, 'POST /grants/revoke', { grant: second?.id });
  expect(sandbox.state().grants.map(({ revoked }) => revoked)).toEqual([false, true]);
  expect(first).toMatchObject({ generation: 1, scopes: ALL_SCOPES.split(' ') });
});

test('state and ledger contain no tokens, names, numbers, accounts or addresses', async () => {
  const world = await aWorld();
  const tokens = Object.values(await consent(world.url));
  await aPayToClient(world, { contact_information: { contact_name: 'Ann Able', phone: '+61 2 5550' } });
  await world.caller.post('/counterparties', aCounterparty());
  await world.caller.post('/payto/alias_resolution', anAliasLookup());
  await world.caller.post('/cop/account/validate', aValidation());
  const ledger = JSON.stringify(world.control.ledger());
  const personal = ['Corner Gym', '11222333444', 'Ann Able', '5550', 'A Payer', '12340001', 'payer@'];
  for (const text of [...personal, '192.0.2.7', 'user-7', 'IC-77']) expect(ledger).not.toContain(text);
  const everything = ledger + JSON.stringify(world.control.state());
  for (const secret of tokens) expect(everything).not.toContain(secret);
});

test('the ledger can be filtered by kind, operation, resource and sequence number', async () => {
  const world = await aWorld();
  const [first, second] = [anAgreement(), anAgreement()];
  for (const request of [first, second]) await world.caller.post('/payto/agreements', request);
  await world.control.advance(1);
  await world.caller.get(`/payto/agreements/${first.uid}`);
  const select = async (query: string) => (await control(world.url, `GET /ledger?${query}`)).body.data ?? [];
  expect(await select('kind=call&operation=get_agreement')).toMatchObject([{ resource_uid: first.uid }]);
  const ofSecond = await select(`resource_uid=${second.uid}`);
  expect(new Set(ofSecond.map(({ kind }) => kind))).toEqual(new Set(['change', 'call', 'webhook']));
  expect(ofSecond.every(({ resource_uid }) => resource_uid === second.uid)).toBe(true);
  const last = world.control.ledger().at(-2)?.seq ?? 0;
  expect(await select(`since=${last}`)).toMatchObject([{ kind: 'call', operation: 'get_agreement' }]);
  expect(await select('kind=token&operation=get_agreement')).toEqual([]);
});

test('deliveries are listed with their faults, including forged ones', async () => {
  const world = await aWorld();
  world.control.addFault({ on: 'webhook', do: 'forge', times: 1 });
  await anActiveAgreement(world);
  const completed = { attempts: 1, state: 'completed' };
  expect((await control(world.url, 'GET /deliveries')).body.data).toMatchObject([
    { event_type: 'payto_agreement.cancelled', fault: 'forge', ...completed },
    { event_type: 'payto_agreement.activated', fault: null, ...completed },
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
    const faults = lines.map((line) => 'fault' in line && line.fault);
    expect(faults).toEqual(Array(action === 'repeat' ? 2 : 1).fill(action));
  },
);

test('a reset clears everything except the webhook target', async () => {
  standStill();
  const world = await aWorld({ seed: 'kept' });
  const other = await aWorld({ seed: 'kept', webhookUrl: world.receiver.url });
  const untouched = { ...other.control.state(), grants: [] };
  await anActiveAgreement(world);
  world.control.setLimits({ payment_cents: 1 });
  world.control.addFault({ on: '*', do: 'slow' });
  await world.control.advance(1_000_000);
  await control(world.url, 'POST /reset');
  expect(world.control.state()).toEqual(untouched);
  expect(world.control.ledger()).toEqual([]);
  expect((await world.caller.get('/payto/agreements')).status).toBe(401);
});
