import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { hugeBody } from '../../../sandbox/calls/slow-answers.js';
import { startSandbox } from '../../../sandbox/start.js';
import { aRawCaller } from '../../support/sandbox/raw-caller.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

describe('faults of answers', () => {
  async function theAnswers() {
    const world = await aWorld();
    const raw = await aRawCaller(world.url);
    const request = anAgreement();
    const create = () => raw.post('/payto/agreements', request);
    const isThere = async (): Promise<boolean> =>
      (await world.caller.get(`/payto/agreements/${request.uid}`)).status === 200;
    return { ...world, raw, request, create, isThere };
  }

  describe('before the commit', () => {
    test('Retry-After as a date uses the real time, not the sandbox clock', async () => {
      standStill();
      const { create, control } = await theAnswers();
      await control.advance(600);
      control.addFault({
        on: 'create_agreement',
        do: 'error_503',
        retry_after_seconds: 60,
        retry_after_as: 'date',
      });
      const { headers } = await create();
      expect(headers['retry-after']).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
      const seconds = Date.parse(headers['retry-after'] ?? '') / 1000;
      expect(seconds).toBe(Math.floor(Date.now() / 1000) + 60);
    });
  });

  describe('after the commit', () => {
    test('a slow answer blocks no other call and may follow its webhook', async () => {
      const { create, caller, control, receiver } = await theAnswers();
      control.addFault({ on: 'create_agreement', do: 'slow', delay_ms: 2000, times: 1 });
      const order: string[] = [];
      const answer = create().then(() => order.push('answer'));
      await receiver.next();
      order.push('webhook');
      expect((await caller.get('/payto/agreements')).status).toBe(200);
      await answer;
      expect(order).toEqual(['webhook', 'answer']);
    });

    test('malformed_json also applies to answers without a body', async () => {
      const { raw, control, ...world } = await theAnswers();
      const uid = await anActiveAgreement({ control, caller: world.caller });
      control.addFault({ on: 'reactivate_agreement', do: 'malformed_json' });
      control.addFault({ on: 'suspend_agreement', do: 'malformed_json' });
      const body = { reason: 'initiating_party_requested', narrative: 'x' };
      const answer = await raw.post(`/payto/agreements/${uid}/suspension`, body);
      expect([answer.status, answer.body]).toEqual([202, '{"data":']);
    });
  });

  test('a rule for all calls affects neither tokens nor webhooks', async () => {
    const world = await aWorld();
    const { caller, control, receiver } = world;
    const uid = await anActiveAgreement({ caller, control });
    control.addFault({ on: '*', do: 'error_503' });
    const paths = ['/payto/agreements', `/payto/agreements/${uid}`, '/payto/payments', '/webhooks', '/ping'];
    for (const path of paths) expect((await caller.get(path)).status).toBe(503);
    expect((await (await world.newCaller()).get('/user')).status).toBe(503);
    control.actAsPayer(uid, 'suspend');
    await control.flushWebhooks();
    expect(receiver.types()).toEqual(['payto_agreement.activated', 'payto_agreement.suspended']);
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
  });

  test('slow and endless answers do not delay the shutdown', async () => {
    const sandbox = await startSandbox({ webhookUrl: 'http://127.0.0.1:1/' });
    onTestFinished(() => sandbox.close());
    const raw = await aRawCaller(sandbox.url);
    sandbox.control.addFault({ on: 'ping', do: 'slow', delay_ms: 600_000 });
    sandbox.control.addFault({ on: 'get_user', do: 'huge_body' });
    const slow = raw.get('/ping');
    const cut = expect(slow).rejects.toThrow();
    const endless = await raw.open('/user');
    endless.on('error', () => undefined);
    await sandbox.close();
    await cut;
  });
});

describe('huge answer body', () => {
  const MIB = 1024 * 1024;

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

    let taken = 0;
    response.on('data', (piece: Buffer) => {
      taken += piece.length;
      if (taken > 32 * MIB) response.destroy();
    });
    response.resume();
    await once(response, 'close');
    expect(taken).toBeLessThan(40 * MIB);
  });

  test('ends when the reader cancels', async () => {
    const reader = hugeBody(1024 * MIB).getReader();
    await reader.read();
    await reader.cancel();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });
});
