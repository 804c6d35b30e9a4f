import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { hugeBody } from '../../../sandbox/calls/slow-answers.js';
import { startSandbox } from '../../../sandbox/start.js';
import { aRawCaller } from '../../support/sandbox/raw-caller.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

describe('what a fault makes of an answer: what the caller sees, whether the call was carried out, and what the ledger says', () => {
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
    test('Retry-After can be a date: so many seconds from now by the wall clock, however far ours was advanced', async () => {
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
    test('slow: other calls are answered, and the webhook overtakes the answer', async () => {
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

    test('malformed_json: also where the answer has no body', async () => {
      const { raw, control, ...world } = await theAnswers();
      const uid = await anActiveAgreement({ control, caller: world.caller });
      control.addFault({ on: 'reactivate_agreement', do: 'malformed_json' });
      control.addFault({ on: 'suspend_agreement', do: 'malformed_json' });
      const body = { reason: 'initiating_party_requested', narrative: 'x' };
      const answer = await raw.post(`/payto/agreements/${uid}/suspension`, body);
      expect([answer.status, answer.body]).toEqual([202, '{"data":']);
    });
  });

  test('one rule can be about any call of the API, but for tokens and webhooks', async () => {
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

  test('neither a slow answer nor an endless one holds up the end of the sandbox', async () => {
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

describe('the endless-looking answer: exactly as long as told, no faster than it is read, and over when nobody reads', () => {
  const MIB = 1024 * 1024;

  test('a GiB weighs nothing while nobody takes it, and other calls are answered meanwhile', async () => {
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

  test('no more of it is made once the reader has left', async () => {
    const reader = hugeBody(1024 * MIB).getReader();
    await reader.read();
    await reader.cancel();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });
});
