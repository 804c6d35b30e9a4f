// What a fault makes of an answer: what the caller receives, whether the call was carried out, and what the ledger says.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { hugeBody } from '../../../sandbox/calls/slow-answers.js';
import { startSandbox } from '../../../sandbox/start.js';
import { aRawCaller } from '../../support/sandbox/raw-caller.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

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

  const lastCall = ({ control }: Pick<World, 'control'>) =>
    control.ledger(0, { kind: 'call', operation: 'create_agreement' }).at(-1);

  describe('before the commit', () => {
    test.each([
      ['error_503', {}, 503, '1'],
      ['error_503', { retry_after_seconds: 7 }, 503, '7'],
      ['error_503', { retry_after_seconds: null }, 503, undefined],
      ['error_429', {}, 429, undefined],
      ['error_429', { retry_after_seconds: 30 }, 429, '30'],
    ] as const)(
      '%s with %o is a %i with Retry-After %s, and nothing is there',
      async (action, published, status, after) => {
        const { create, isThere, ...world } = await theAnswers();
        world.control.addFault({ on: 'create_agreement', do: action, times: 1, ...published });
        const answer = await create();
        expect([answer.status, answer.headers['retry-after']]).toEqual([status, after]);
        expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ detail: 'Try again later' }] });
        expect(await isThere()).toBe(false);
        expect(lastCall(world)).toMatchObject({ status, fault: action });
        expect((await create()).status).toBe(201);
      },
    );

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

    test.each([302, 307] as const)(
      'redirect leads with a %i to the host it was told, with path and query',
      async (status) => {
        const { raw, control } = await theAnswers();
        control.addFault({ on: 'list_agreements', do: 'redirect', to: 'https://evil.example', status });
        const answer = await raw.get('/payto/agreements?state=active');
        expect([answer.status, answer.headers.location]).toEqual([
          status,
          'https://evil.example/payto/agreements?state=active',
        ]);
      },
    );
  });

  describe('after the commit', () => {
    test('slow: the answer is the real one, and comes after that much real time', async () => {
      const { create, isThere, ...world } = await theAnswers();
      world.control.addFault({ on: 'create_agreement', do: 'slow', delay_ms: 300, times: 1 });
      const began = performance.now();
      const answer = await create();
      expect(performance.now() - began).toBeGreaterThanOrEqual(295);
      expect([answer.status, answer.isComplete, await isThere()]).toEqual([201, true, true]);
      expect(lastCall(world)).toMatchObject({ status: 201, fault: 'slow' });
    });

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

    test('trickle: the real answer byte by byte, with a pause before each', async () => {
      const { raw, control } = await theAnswers();
      control.addFault({ on: 'ping', do: 'trickle', pause_ms: 10 });
      const began = performance.now();
      const pieces: string[] = [];
      for await (const piece of await raw.open('/ping')) pieces.push(String(piece));
      expect(JSON.parse(pieces.join(''))).toEqual({ data: { message: 'pong' } });
      expect(performance.now() - began).toBeGreaterThanOrEqual(9 * pieces.join('').length);
      expect(pieces.filter((piece) => piece.length === 1).length).toBeGreaterThan(pieces.length / 2);
    });

    test('malformed_json: the right type and status, and half of the JSON', async () => {
      const { create, isThere, control } = await theAnswers();
      control.addFault({ on: 'create_agreement', do: 'malformed_json', times: 1 });
      const answer = await create();
      expect([answer.status, answer.headers['content-type']]).toEqual([201, 'application/json']);
      expect(() => JSON.parse(answer.body) as unknown).toThrow();
      expect(await isThere()).toBe(true);
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

    test('wrong_content_type: a page with a 200', async () => {
      const { create, isThere, ...world } = await theAnswers();
      world.control.addFault({ on: 'create_agreement', do: 'wrong_content_type', times: 1 });
      const answer = await create();
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
      expect(answer.body).toMatch(/^<!doctype html>/);
      expect(await isThere()).toBe(true);
      expect(lastCall(world)).toMatchObject({ status: 200, fault: 'wrong_content_type' });
    });

    test.each([
      ['more', 40, false],
      ['fewer', -10, true],
    ])('lying_content_length: %s bytes are announced than come', async (_, by_bytes, isComplete) => {
      const { raw, control } = await theAnswers();
      const real = await raw.get('/user');
      control.addFault({ on: 'get_user', do: 'lying_content_length', by_bytes });
      const answer = await raw.get('/user');
      expect(answer.headers['content-length']).toBe(String(real.body.length + by_bytes));
      expect(answer.isComplete).toBe(isComplete);
      expect(answer.body).toBe(real.body.slice(0, isComplete ? by_bytes : undefined));
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

  test('a refused call is refused, whatever was to become of its answer', async () => {
    const { caller, control } = await aWorld();
    for (const action of ['slow', 'huge_body', 'malformed_json'] as const) {
      control.addFault({ on: 'create_agreement', do: action, times: 1 });
    }
    expect((await caller.post('/payto/agreements', anAgreement({ surprise: 1 }))).status).toBe(400);
    expect(control.state().faults).toHaveLength(3);
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

  test.each([1, 9, 100_000, 3 * MIB])(
    'of %i bytes it is exactly that long, and begins like JSON',
    async (bytes) => {
      const world = await aWorld();
      const raw = await aRawCaller(world.url);
      world.control.addFault({ on: 'list_agreements', do: 'huge_body', bytes });
      const { status, headers, body, isComplete } = await raw.get('/payto/agreements');
      expect([status, headers['content-type'], isComplete]).toEqual([200, 'application/json', true]);
      expect(body).toHaveLength(bytes);
      expect(body.slice(0, 16)).toBe('{"data":[{"uid":'.slice(0, bytes));
      expect(() => JSON.parse(body) as unknown).toThrow();
    },
  );

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
