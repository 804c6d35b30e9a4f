import { once } from 'node:events';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Client, Connection, QueryRejectedError, ServiceError } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRecorded } from '../../../../api/gateway/records.js';
import {
  BOUNDS,
  SLACK_MS,
  againIfStarved,
  createCalls,
  oneAtATime,
} from '../../../../api/gateway/temporal/calls.js';
import { RETRIES_WITHIN_LIMITS } from '../../../../api/gateway/temporal/update-limiter.js';
import { RECORDS_AWAY } from '../../../support/records-away.js';
import { createGateway, type Gateway } from '../../../../api/gateway/create.js';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { aFact, aMandate, anOrder } from '../../../support/api/builders.js';

// prettier-ignore
const CALLS: [string, (door: Gateway) => Promise<unknown>][] = [
  ['starting an agreement', ({ agreements }) => agreements.start({ uid: 'a', connection: 'acme', mandate: aMandate() })],
  ['starting one without a connection', ({ agreements }) => agreements.start({ uid: 'a', connection: undefined, mandate: aMandate() })],
  ['reading an agreement', ({ agreements }) => agreements.view('a')],
  ['reading a timeline', ({ timeline }) => timeline({ resource: 'agreement', uid: 'a' }, { after: undefined, limit: 20 })],
  ['requesting a payment', ({ payments }) => payments.request('p', anOrder())],
  ['reading a payment', ({ payments }) => payments.view('p')],
  ['reading a connection', ({ connections }) => connections.view('acme')],
  ['checking that a connection exists', ({ connections }) => connections.exists('acme')],
  ['reauthorising a connection', ({ connections }) => connections.reauthorise('acme')],
  ['revoking a connection', ({ connections }) => connections.revoke('acme', { by: 'k', reason: 'r' })],
  ['completing consent', ({ connections }) => connections.complete('acme', { round: 1, expiresAt: '2026-11-01T00:10:00.000Z', browser: 'b', sealedCode: 's' })],
  ['delivering an agreement event', ({ deliver }) => deliver({ resource: 'agreement', resourceType: 'payto_agreement', uid: 'a', fact: aFact() }, undefined)],
  ['delivering a payment event', ({ deliver }) => deliver({ resource: 'payment', resourceType: 'payto_payment', uid: 'p', fact: aFact() }, 'acme')],
  ['delivering an event of another type', ({ deliver }) => deliver({ resource: 'other', resourceType: 'x', fact: aFact() }, undefined)],
];

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
const connections: Connection[] = [];

function doorTo(port: number): Gateway {
  const connection = Connection.lazy({ address: `127.0.0.1:${port}`, ...RETRIES_WITHIN_LIMITS });
  connections.push(connection);
  return createGateway(new Client({ connection }), 'payto', {
    ...RECORDS_AWAY,
    connectionIds: () => Promise.resolve(['acme']),
  });
}

beforeAll(() => void process.on('unhandledRejection', note));
afterAll(async () => {
  process.off('unhandledRejection', note);
  await Promise.all(connections.map((connection) => connection.close()));
});
afterEach(() => expect(unhandled).toEqual([]));

const refusalOf = (call: (door: Gateway) => Promise<unknown>, port: number): Promise<unknown> =>
  call(doorTo(port)).catch((met: unknown) => met);

test('each call, and each query with its probe, takes less than 3 s', () => {
  const { call, query, probe } = BOUNDS;
  expect(call + SLACK_MS).toBeLessThan(3000);
  expect(query + probe + 2 * SLACK_MS).toBeLessThan(3000);
});

test('a request over a limit of Temporal is too many requests, which the caller may repeat', async () => {
  const server = createHttp2Server().on('stream', (stream, { ':path': path }) => {
    const answer = { ':status': 200, 'content-type': 'application/grpc' };
    const isGreeting = path?.endsWith('/GetSystemInfo') === true;
    stream.respond(answer, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': isGreeting ? '0' : '8' }));
    stream.end(isGreeting ? Buffer.alloc(5) : undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const reading = ({ payments }: Gateway) => payments.view('p');
  const delivering = ({ deliver }: Gateway) =>
    deliver({ resource: 'payment', resourceType: 'payto_payment', uid: 'p', fact: aFact() }, 'acme');
  for (const call of [reading, delivering])
    expect(await refusalOf(call, port)).toMatchObject({ code: 'too_many_requests' });
});

const rejected = (message: string) =>
  Object.assign(new Error(message), { code: 9, details: '', metadata: {} });
test.each([
  ['query', new QueryRejectedError(8)],
  [
    'update',
    new ServiceError('Workflow Update failed', {
      cause: rejected('9 FAILED_PRECONDITION: Workflow is paused.'),
    }),
  ],
  ['update with start', rejected('Workflow is paused. Cannot update the workflow.')],
])('a %s that Temporal rejects because the workflow is paused says so', async (_, error) => {
  const { ofWorker, long, short } = createCalls({
    client: new Client(),
    taskQueue: 'payto',
    recorded: createRecorded(RECORDS_AWAY),
  });
  const failing = () => Promise.reject(error);
  for (const call of [ofWorker(900, failing), long(900, failing), short(failing)])
    await expect(call).rejects.toMatchObject({ code: 'workflow_paused', cause: error });
});

describe('Temporal port with no listener', () => {
  let port: number;
  beforeAll(async () => {
    const server = createServer();
    port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
  });

  test.concurrent.each(CALLS)('refuses %s with temporal_unavailable', async (_, call) => {
    const error = await refusalOf(call, port);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'temporal_unavailable' });
  });

  test('makes the readiness check fail', async () => {
    await expect(doorTo(port).ready()).rejects.toThrow();
  });
});

describe('Temporal server that never responds', () => {
  let silent: Server;
  let port: number;
  beforeAll(async () => {
    silent = createServer((socket) => socket.on('error', () => undefined));
    port = await listening(silent);
  });
  afterAll(() => void silent.close());

  test.concurrent.each(CALLS)('makes %s fail with temporal_unavailable', async (_, call) => {
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

describe('read that timed out', () => {
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

  test('is repeated once if the process was too busy to read the answer', async () => {
    expect(await read(BOUNDS.call + 1500, 'temporal_unavailable')).toEqual({ met: 'there', times: 2 });
  });

  test('is not repeated within the time limit, or after an error other than an outage', async () => {
    expect(await read(BOUNDS.call + SLACK_MS, 'temporal_unavailable')).toMatchObject({ times: 1 });
    expect(await read(BOUNDS.call + 1500, 'worker_unavailable')).toMatchObject({ times: 1 });
  });
});

describe('shared reads', () => {
  test('make two calls for many concurrent callers, and return no answer older than the request', async () => {
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

  test('do not wait for reads of other keys', () => {
    const { answers, ask } = aSource();
    void ask('a');
    void ask('b');
    expect(answers).toHaveLength(2);
  });

  test('share a failure, and make a new call for the next caller', async () => {
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
