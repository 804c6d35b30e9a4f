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

test('the clock advances by the given seconds', async () => {
  standStill();
  const { url, control } = await aWorld();
  const before = Date.parse(control.state().now);
  const { body } = await callControl(url, 'POST', '/clock', { advance_seconds: 3600 });
  const passed = Date.parse(String(body['now'])) - before;
  expect(passed).toBe(3_600_000);
});

test('due events happen in time order, each at its own time', async () => {
  standStill();
  const world = await aWorld();
  const requests = [30, 10, 20].map((delay) =>
    anAgreement({ sandbox: { simulate: 'debtor_accept', delay } }),
  );
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

test('concurrent advances add up', async () => {
  const { control } = await aWorld();
  const before = Date.parse(control.state().now);
  await Promise.all([control.advance(100), control.advance(100)]);
  expect(Date.parse(control.state().now) - before).toBeGreaterThanOrEqual(200_000);
});

test('payers and payments can be scripted and payer actions triggered', async () => {
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
  expect(detailOf(again.body)).toContain(`cannot accept agreement ${request.uid}: its state is active`);
  const payment = await callControl(url, 'PUT', '/payments-script/pay-1', { simulate: 'insufficient_funds' });
  expect(payment.status).toBe(200);
});

test('faults can be listed and removed singly or together', async () => {
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

test('the webhook target can be set and held events flushed', async () => {
  const world = await aWorld({ webhookUrl: 'http://127.0.0.1:1/' });
  await callControl(world.url, 'PUT', '/webhook', { url: world.receiver.url, secret: 'new' });
  world.control.addFault({ on: 'webhook', do: 'reorder' });
  await anActiveAgreement(world);
  expect(world.control.state().webhook).toMatchObject({ url: world.receiver.url, queued: 1 });
  expect((await callControl(world.url, 'POST', '/webhooks/flush')).status).toBe(200);
  expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
});

test('grants are listed without tokens and revoked one by one', async () => {
  const { url, control } = await aWorld();
  const tokens = await consent(url);
  const [first, second] = control.state().grants;
  await callControl(url, 'POST', '/grants/revoke', { grant: second?.id });
  expect(control.state().grants.map(({ revoked }) => revoked)).toEqual([false, true]);
  expect(first).toMatchObject({ generation: 1, scopes: ALL_SCOPES.split(' ') });
  const everything = JSON.stringify([control.state(), control.ledger()]);
  for (const secret of Object.values(tokens)) expect(everything).not.toContain(secret);
});

test('a reset clears everything except the webhook target', async () => {
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
