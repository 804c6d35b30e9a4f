import { expect, test } from 'vitest';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { z } from 'zod';
import { ALL_SCOPES, consent } from '../../support/sandbox/caller.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

const ControlAnswer = z.looseObject({
  errors: z
    .array(z.object({ title: z.string(), detail: z.string() }))
    .or(z.string())
    .optional(),
});
const detailOf = ({ errors }: z.output<typeof ControlAnswer>): string =>
  typeof errors === 'string' ? errors : (errors?.[0]?.detail ?? '');

async function callControl(url: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/_control${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: ControlAnswer.parse(await response.json()) };
}

test('the clock goes on by as much as it is told', async () => {
  standStill();
  const { url, control } = await aWorld();
  const before = Date.parse(control.state().now);
  const { body } = await callControl(url, 'POST', '/clock', { advance_seconds: 3600 });
  const passed = Date.parse(String(body['now'])) - before;
  expect(passed).toBe(3_600_000);
});

test('what comes due on the way happens in time order, each at its own time', async () => {
  standStill();
  const world = await aWorld();
  const requests = [30, 10, 20].map((delay) => anAgreement({ sandbox: { delay } }));
  for (const request of requests) await world.caller.post('/payto/agreements', request);
  await world.control.advance(60);
  const changes = world.control.ledger().filter((entry) => entry.kind === 'change' && entry.to === 'active');
  const [thirty, ten, twenty] = requests.map(({ uid }) => uid);
  expect(changes.map((entry) => ('resource_uid' in entry ? entry.resource_uid : ''))).toEqual([
    ten,
    twenty,
    thirty,
  ]);
  const [first = 0, second = 0] = changes.map(({ at }) => Date.parse(at));
  expect(second - first).toBe(10_000);
});

test('two advances at once add up', async () => {
  const { control } = await aWorld();
  const before = Date.parse(control.state().now);
  await Promise.all([control.advance(100), control.advance(100)]);
  expect(Date.parse(control.state().now) - before).toBeGreaterThanOrEqual(200_000);
});

test('payers and payments can be scripted, and the payer played', async () => {
  const { url, caller, control } = await aWorld();
  const request = anAgreement();
  const script = { simulate: 'ignore' };
  expect((await callControl(url, 'PUT', `/payers/${request.uid}`, script)).status).toBe(200);
  await caller.post('/payto/agreements', request);
  await callControl(url, 'POST', '/clock', { advance_seconds: 1 });
  const path = `/agreements/${request.uid}/payer`;
  expect((await callControl(url, 'POST', path, { action: 'accept' })).status).toBe(200);
  expect(control.state().agreements[0]).toMatchObject({ state: 'active', script: { simulate: 'ignore' } });
  const again = await callControl(url, 'POST', path, { action: 'accept' });
  expect(again.status).toBe(409);
  expect(detailOf(again.body)).toContain(`cannot accept agreement ${request.uid}: it is active`);
  const payment = await callControl(url, 'PUT', '/payments-script/pay-1', { simulate: 'insufficient_funds' });
  expect(payment.status).toBe(200);
});

test.each([
  ['PUT', '/payers/agr-1', { simulate: 'dance' }, 'simulate'],
  ['PUT', '/payers/agr-1', { simulate: 'ignore', dely: 1 }, 'dely'],
  ['POST', '/clock', { advance_seconds: -1 }, 'advance_seconds'],
  ['POST', '/clock', {}, 'advance_seconds'],
  ['POST', '/faults', { on: 'webhook', do: 'cut_after_commit' }, 'do'],
  ['POST', '/faults', { on: 'create_agreement', do: 'lose' }, 'do'],
  ['POST', '/faults', { on: 'create_agreement', do: 'cut_after_commit', copies: 2 }, 'copies'],
  ['POST', '/faults', { on: 'nothing', do: 'lose' }, 'on'],
  ['POST', '/faults', { on: 'token', do: 'read_lag' }, 'do'],
  ['POST', '/faults', { on: 'ping', do: 'invalid_client' }, 'do'],
  ['POST', '/faults', { on: 'create_agreement', do: 'read_lag' }, 'do'],
  ['POST', '/faults', { on: 'ping', do: 'slow', delay_seconds: 2 }, 'delay_seconds'],
  ['POST', '/faults', { on: 'webhook', do: 'lose', delay_ms: 2 }, 'delay_ms'],
  ['POST', '/faults', { on: 'ping', do: 'slow', share: 0 }, 'share'],
  ['POST', '/faults', { on: 'ping', do: 'slow', share: 1.5 }, 'share'],
  ['POST', '/faults', { on: 'ping', do: 'slow', times: 0 }, 'times'],
  ['POST', '/faults', { on: 'ping', do: 'redirect', to: 'gopher://hole' }, 'to'],
  ['POST', '/faults', { on: 'ping', do: 'lying_content_length', by_bytes: 0 }, 'by_bytes'],
  ['PUT', '/seed', { seed: '' }, 'seed'],
  ['PUT', '/limits', { payment_cents: -1 }, 'payment_cents'],
  ['PUT', '/limits', { patience: 1 }, 'patience'],
  ['PUT', '/organisation', { minimum_version: '20270101' }, 'minimum_version'],
  ['PUT', '/application', { scopes: ['no_such_scope'] }, 'scopes.0'],
  ['PUT', '/application', { scopes: [] }, 'scopes'],
  ['PUT', '/oauth', { grace_seconds: 1000 }, 'grace_seconds'],
  ['PUT', '/agreements/a/script', { action: 'suspension', simulate: 'debtor_accept' }, 'simulate'],
  ['POST', '/agreements/a/service', { action: 'dance' }, 'action'],
  ['POST', '/payments/p/outcome', { outcome: 'pending' }, 'outcome'],
  ['PUT', '/clients/c/services', { service: 'payto', status: 'pending?' }, 'status'],
  ['PUT', '/float-accounts/f', { available_balance: -1 }, 'available_balance'],
  ['GET', '/ledger?kind=nothing', undefined, 'kind'],
  ['PUT', '/webhook', {}, 'url'],
  ['PUT', '/webhook', { url: 'ftp://example/' }, 'url'],
  ['GET', '/ledger?since=-1', undefined, 'since'],
  ['POST', '/reset', { really: true }, 'really'],
])('%s %s with %o is 400 and says what is wrong', async (method, path, body, word) => {
  const { url } = await aWorld();
  const published = await callControl(url, method, path, body);
  expect(published.status).toBe(400);
  expect(detailOf(published.body)).toContain(word);
});

test.each([
  ['POST', '/agreements/none/payer', { action: 'accept' }],
  ['DELETE', '/faults/none', undefined],
  ['POST', '/grants/revoke', { grant: 'none' }],
  ['POST', '/agreements/none/service', { action: 'expire' }],
  ['POST', '/payments/none/outcome', { outcome: 'settled' }],
  ['PUT', '/clients/none', { merchant_category_code: '7995' }],
  ['PUT', '/clients/none/services', { service: 'payto', status: 'suspended' }],
  ['PUT', '/float-accounts/none', { available_balance: 5 }],
])('%s %s is 404 for what nobody knows', async (method, path, body) => {
  const { url } = await aWorld();
  expect((await callControl(url, method, path, body)).status).toBe(404);
});

test('faults can be listed, removed one by one and all together', async () => {
  const { url, control } = await aWorld();
  const rule = { on: 'get_payment', do: 'error_500_before', times: 3 };
  const first = await callControl(url, 'POST', '/faults', rule);
  await callControl(url, 'POST', '/faults', { on: 'webhook', do: 'delay', delay_seconds: 5 });
  expect(control.state().faults).toMatchObject([rule, { do: 'delay', delay_seconds: 5, times: null }]);
  await callControl(url, 'DELETE', `/faults/${String(first.body['id'])}`);
  expect(control.state().faults).toHaveLength(1);
  await callControl(url, 'DELETE', '/faults');
  expect(control.state().faults).toEqual([]);
});

test('the webhook target can be set, and held events flushed', async () => {
  const world = await aWorld({ webhookUrl: 'http://127.0.0.1:1/' });
  await callControl(world.url, 'PUT', '/webhook', { url: world.receiver.url, secret: 'new' });
  world.control.addFault({ on: 'webhook', do: 'reorder' });
  await anActiveAgreement(world);
  expect(world.control.state().webhook).toMatchObject({ url: world.receiver.url, queued: 1 });
  expect((await callControl(world.url, 'POST', '/webhooks/flush')).status).toBe(200);
  expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
});

test('grants are listed without their tokens, and can be revoked one by one', async () => {
  const { url, control } = await aWorld();
  const tokens = await consent(url);
  const [first, second] = control.state().grants;
  await callControl(url, 'POST', '/grants/revoke', { grant: second?.id });
  expect(control.state().grants.map(({ revoked }) => revoked)).toEqual([false, true]);
  expect(first).toMatchObject({ generation: 1, scopes: ALL_SCOPES.split(' ') });
  const everything = JSON.stringify([control.state(), control.ledger()]);
  for (const secret of Object.values(tokens)) expect(everything).not.toContain(secret);
});

test('the ledger tells every call, change and webhook once, and can be read on from a number', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  await world.caller.get('/payto/agreements/none');
  const ledger = world.control.ledger();
  expect(ledger.map(({ seq }) => seq)).toEqual(ledger.map((_, index) => index + 1));
  const eventId = world.receiver.received[0]?.envelope.data.id;
  expect(ledger).toMatchObject([
    { kind: 'token', grant_type: 'authorization_code', outcome: 'issued', generation: 1 },
    { kind: 'change', resource_uid: uid, from: null, to: 'pending', event_id: null },
    { kind: 'call', operation: 'create_agreement', status: 201, resource_uid: uid },
    { kind: 'change', from: 'pending', to: 'created', event_id: null },
    { kind: 'change', from: 'created', to: 'active', event_id: eventId },
    { kind: 'webhook', event_id: eventId, status: 200, attempt: 1 },
    { kind: 'call', operation: 'get_agreement', status: 404, resource_uid: 'none' },
  ]);
  const { body } = await callControl(world.url, 'GET', '/ledger?since=5');
  expect(body['data']).toEqual(ledger.slice(5));
});

test('a reset forgets everything but where webhooks go, and is then like new', async () => {
  standStill();
  const world = await aWorld({ seed: 'kept' });
  const other = await aWorld({ seed: 'kept', webhookUrl: world.receiver.url });
  const { now: alike, ...untouched } = other.control.state();
  await anActiveAgreement(world);
  world.control.setLimits({ payment_cents: 1 });
  world.control.addFault({ on: '*', do: 'slow' });
  await world.control.advance(1_000_000);
  await callControl(world.url, 'POST', '/reset');
  const { now, ...state } = world.control.state();
  expect(now).toBe(alike);
  expect(state).toEqual({ ...untouched, grants: [] });
  expect(world.control.ledger()).toEqual([]);
  expect((await world.caller.get('/payto/agreements')).status).toBe(401);
});

test('it says that it is well', async () => {
  const { url } = await aWorld();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
