import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BOUNDS, SLACK_MS, againIfStarved, oneAtATime } from '../../../../api/gateway/temporal/calls.js';
import { createGateway } from '../../../../api/gateway/create.js';
import { ApiError } from '../../../../api/http/problems/errors.js';
import type { Gateway } from '../../../../api/gateway/create.js';
import { aFact, aMandate, anOrder } from '../../../support/api/builders.js';

// prettier-ignore
const CALLS: [string, (door: Gateway) => Promise<unknown>][] = [
  ['starting an agreement', ({ agreements }) => agreements.start({ uid: 'a', connection: 'acme', mandate: aMandate() })],
  ['starting one without a connection', ({ agreements }) => agreements.start({ uid: 'a', connection: undefined, mandate: aMandate() })],
  ['reading an agreement', ({ agreements }) => agreements.view('a')],
  ['reading a timeline', ({ agreements }) => agreements.timeline('a')],
  ['reading older facts', ({ agreements }) => agreements.older({ uid: 'a', connectionId: 'acme', before: ['', ''], stored: [] })],
  ['listing agreements', ({ agreements }) => agreements.list({ per_page: 20 })],
  ['requesting a payment', ({ payments }) => payments.request('p', anOrder())],
  ['reading a payment', ({ payments }) => payments.view('p')],
  ['reading a connection', ({ connections }) => connections.view('acme')],
  ['whether a connection exists', ({ connections }) => connections.exists('acme')],
  ['beginning again', ({ connections }) => connections.renew('acme')],
  ['revoking', ({ connections }) => connections.revoke('acme', { by: 'k', reason: 'r' })],
  ['completing consent', ({ connections }) => connections.complete('acme', { round: 1, expiresAt: '2026-11-01T00:10:00.000Z', sealedCode: 's' })],
  ['handing over an agreement event', ({ deliver }) => deliver({ resource: 'agreement', resourceType: 'payto_agreement', uid: 'a', fact: aFact() }, undefined)],
  ['handing over a payment event', ({ deliver }) => deliver({ resource: 'payment', resourceType: 'payto_payment', uid: 'p', fact: aFact() }, 'acme')],
  ['handing over another event', ({ deliver }) => deliver({ resource: 'other', resourceType: 'x', fact: aFact() }, undefined)],
];

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
const connections: Connection[] = [];

function doorTo(port: number): Gateway {
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  connections.push(connection);
  return createGateway(new Client({ connection }), 'payto');
}

beforeAll(() => void process.on('unhandledRejection', note));
afterAll(async () => {
  process.off('unhandledRejection', note);
  await Promise.all(connections.map((connection) => connection.close()));
});
afterEach(() => expect(unhandled).toEqual([]));

const refusalOf = (call: (door: Gateway) => Promise<unknown>, port: number): Promise<unknown> =>
  call(doorTo(port)).catch((met: unknown) => met);

test('what a caller waits for in an outage is less than 3 s: a call, or a query and the probe after it', () => {
  const { call, query, probe } = BOUNDS;
  expect(call + SLACK_MS).toBeLessThan(3000);
  expect(query + probe + 2 * SLACK_MS).toBeLessThan(3000);
});

describe('nobody listens', () => {
  let port: number;
  beforeAll(async () => {
    const server = createServer();
    port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
  });

  test.concurrent.each(CALLS)('%s', async (_, call) => {
    const error = await refusalOf(call, port);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'temporal_unavailable' });
  });

  test('it is not ready', async () => {
    await expect(doorTo(port).ready()).rejects.toThrow();
  });
});

describe('somebody takes the call and says nothing', () => {
  let silent: Server;
  let port: number;
  beforeAll(async () => {
    silent = createServer((socket) => socket.on('error', () => undefined));
    port = await listening(silent);
  });
  afterAll(() => void silent.close());

  test.concurrent.each(CALLS)('%s', async (_, call) => {
    const error = await refusalOf(call, port);
    expect(error).toMatchObject({ code: 'temporal_unavailable' });
  });
});

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(portOf(server.address())));
  });

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('expected an address with a port');
  return address.port;
}

function aSource() {
  const answers: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const fetch = () => new Promise<number>((resolve, reject) => answers.push({ resolve, reject }));
  return { answers, ask: oneAtATime(fetch) };
}
const turns = () => new Promise(setImmediate);

describe('a read that ran out of time', () => {
  const read = async (tookMs: number, code: 'temporal_unavailable' | 'worker_unavailable') => {
    const clock = [0, tookMs];
    let times = 0;
    const failing = () => {
      times += 1;
      return times === 1 ? Promise.reject(new ApiError(code, 'No answer.')) : Promise.resolve('there');
    };
    const met = await againIfStarved(failing, () => clock.shift() ?? 0).catch((error: unknown) => error);
    return { met, times };
  };

  test('is made once more where the process itself was kept from reading the answer', async () => {
    expect(await read(BOUNDS.call + 1500, 'temporal_unavailable')).toEqual({ met: 'there', times: 2 });
  });

  test('is not where Temporal had all the time there was, nor for what is no outage', async () => {
    expect(await read(BOUNDS.call + SLACK_MS, 'temporal_unavailable')).toMatchObject({ times: 1 });
    expect(await read(BOUNDS.call + 1500, 'worker_unavailable')).toMatchObject({ times: 1 });
  });
});

describe('one question at a time', () => {
  test('a crowd costs two, and no answer is older than its question', async () => {
    const { answers, ask } = aSource();
    const first = ask('a');
    const crowd = Array.from({ length: 10 }, () => ask('a'));
    expect(answers).toHaveLength(1);
    answers[0]?.resolve(1);
    expect(await first).toBe(1);
    await turns();
    expect(answers).toHaveLength(2);
    answers[1]?.resolve(2);
    expect(await Promise.all(crowd)).toEqual(crowd.map(() => 2));
  });

  test('other things are not waited for', () => {
    const { answers, ask } = aSource();
    void ask('a');
    void ask('b');
    expect(answers).toHaveLength(2);
  });

  test('a failure is shared, and the next question is asked anew', async () => {
    const { answers, ask } = aSource();
    const [one, other] = [ask('a'), ask('a')];
    answers[0]?.reject(new Error('away'));
    await expect(one).rejects.toThrow('away');
    await expect(other).rejects.toThrow('away');
    const again = ask('a');
    answers[1]?.resolve(3);
    expect(await again).toBe(3);
  });
});
