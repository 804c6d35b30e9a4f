// A fault of answers affects the calls that its rule names, and nothing else. test/contract/faults.test.ts covers every action.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hugeBody } from '../../../sandbox/calls/slow-answers.js';
import { startSandbox } from '../../../sandbox/start.js';
import { aRawCaller } from '../../support/sandbox/raw-caller.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

const MIB = 1024 * 1024;

test('Retry-After as a date uses the real time, not the sandbox clock', async () => {
  standStill();
  const { url, control } = await aWorld();
  await control.advance(600);
  control.addFault({ on: 'ping', do: 'error_503', retry_after_seconds: 60, retry_after_as: 'date' });
  const { headers } = await (await aRawCaller(url)).get('/ping');
  expect(headers['retry-after']).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  expect(Date.parse(headers['retry-after'] ?? '') / 1000).toBe(Math.floor(Date.now() / 1000) + 60);
});

test('a slow answer blocks no other call and may follow its webhook', async () => {
  const { url, caller, control, receiver } = await aWorld();
  control.addFault({ on: 'create_agreement', do: 'slow', delay_ms: 600_000, times: 1 });
  const arrival = receiver.next();
  const answer = (await aRawCaller(url)).post('/payto/agreements', anAgreement());
  const unanswered = expect(Promise.race([answer, arrival])).resolves.toHaveProperty('raw');
  answer.catch(() => undefined);
  await unanswered;
  expect((await caller.get('/payto/agreements')).status).toBe(200);
});

test('malformed_json also applies to answers without a body', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  world.control.addFault({ on: 'suspend_agreement', do: 'malformed_json' });
  const body = { reason: 'initiating_party_requested', narrative: 'x' };
  const answer = await (await aRawCaller(world.url)).post(`/payto/agreements/${uid}/suspension`, body);
  expect([answer.status, answer.body]).toEqual([202, '{"data":']);
});

test('a rule for all calls affects neither tokens nor webhooks', async () => {
  const world = await aWorld();
  const { caller, control, receiver } = world;
  const uid = await anActiveAgreement(world);
  control.addFault({ on: '*', do: 'error_503' });
  const paths = ['/payto/agreements', `/payto/agreements/${uid}`, '/payto/payments', '/webhooks', '/ping'];
  for (const path of paths) expect((await caller.get(path)).status).toBe(503);
  expect((await (await world.newCaller()).get('/user')).status).toBe(503);
  control.actAsPayer(uid, 'suspend');
  await control.flushWebhooks();
  expect(receiver.types()).toEqual(['payto_agreement.activated', 'payto_agreement.suspended']);
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
});

test('a fault for one uid affects only that uid until it is removed', async () => {
  const { caller, control } = await aWorld();
  const [other, faulted] = [anAgreement(), anAgreement()];
  const create = async (request: object) => (await caller.post('/payto/agreements', request)).status;
  const rule = { on: 'create_agreement', do: 'error_500_before', resource_uid: faulted.uid } as const;
  const { id } = control.addFault(rule);
  expect([await create(other), await create(faulted), await create(faulted)]).toEqual([201, 500, 500]);
  control.removeFault(id);
  expect(await create(faulted)).toBe(201);
});

test('a fault after the commit needs an accepted call, which still publishes its webhook', async () => {
  const { caller, control, receiver } = await aWorld();
  control.addFault({ on: 'create_agreement', do: 'cut_after_commit', times: 1 });
  expect((await caller.post('/payto/agreements', anAgreement({ surprise: 1 }))).status).toBe(400);
  await expect(caller.post('/payto/agreements', anAgreement())).rejects.toThrow();
  expect(control.state().faults).toEqual([]);
  await control.advance(1);
  expect(receiver.types()).toEqual(['payto_agreement.activated']);
});

test('a lagging read does not show an agreement from before a reset', async () => {
  const world = await aWorld();
  await anActiveAgreement(world);
  world.control.reset();
  const caller = await world.newCaller();
  world.control.addFault({ on: '*', do: 'read_lag', lag_seconds: 1 });
  expect((await caller.get('/payto/agreements')).list).toEqual([]);
});

test('slow and endless answers do not delay the shutdown', async () => {
  const sandbox = await startSandbox({ webhookUrl: 'http://127.0.0.1:1/' });
  onTestFinished(() => sandbox.close());
  const raw = await aRawCaller(sandbox.url);
  sandbox.control.addFault({ on: 'ping', do: 'slow', delay_ms: 600_000 });
  sandbox.control.addFault({ on: 'get_user', do: 'huge_body' });
  const cut = expect(raw.get('/ping')).rejects.toThrow();
  const endless = await raw.open('/user');
  endless.on('error', () => undefined);
  await sandbox.close();
  await cut;
});

describe('huge answer body', () => {
  test('uses no memory while it is not read and blocks no other call', async () => {
    const world = await aWorld();
    const raw = await aRawCaller(world.url);
    world.control.addFault({ on: 'list_agreements', do: 'huge_body' });
    const response = await raw.open('/payto/agreements');
    response.pause();
    const before = process.memoryUsage().arrayBuffers;
    await sleep(300);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MIB);
    expect((await world.caller.get('/ping')).status).toBe(200);
    response.destroy();
    await once(response, 'close');
  });

  test('ends when the reader cancels', async () => {
    const reader = hugeBody(1024 * MIB).getReader();
    await reader.read();
    await reader.cancel();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });
});
