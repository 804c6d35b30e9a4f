import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  BODY,
  CALLS,
  CHUNKED,
  GOOD,
  GZIPPED,
  PACKED,
  chunk,
  failureOf,
  failuresOn,
  head,
  hostileApi,
  sends,
  twice,
} from '../../support/payments-api/hostile-provider.js';
import { createTransport } from '../../../payments-api/http/transport.js';
import { exchange } from '../../../payments-api/http/exchange.js';
import {
  startLoopback,
  startWire,
  type Answer,
  type Loopback,
  type Wire,
  type WireLoopback,
} from '../../support/payments-api/loopback.js';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MIB = 2 ** 20;
const JSON_TYPE = { 'content-type': 'application/json' };

let provider: Loopback;
let raw: WireLoopback;
beforeAll(async () => {
  provider = await startLoopback();
  raw = await startWire();
});
afterAll(() => Promise.all([provider.close(), raw.close()]));

describe('a blocked event loop', () => {
  const LIMIT_MS = 300;
  const TOKENS = '{"refresh_token":"refresh-2"}';

  const SERVER = `
const { parentPort } = require('node:worker_threads');
const { gzipSync } = require('node:zlib');
const server = require('node:http').createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x');
  const after = Number(searchParams.get('after'));
  const headers = { 'content-type': 'application/json' };
  request.resume().on('end', () => {
    parentPort.postMessage('requests');
    if (after === 0) return;
    setTimeout(() => {
      const isPacked = searchParams.has('packed');
      response.writeHead(200, isPacked ? { ...headers, 'content-encoding': 'gzip' } : headers);
      response.end(isPacked ? gzipSync(${JSON.stringify(TOKENS)}) : ${JSON.stringify(TOKENS)});
    }, after);
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
  let server: Worker;
  let url: string;
  beforeAll(async () => {
    server = new Worker(SERVER, { eval: true });
    const [port] = z.tuple([z.number()]).parse(await once(server, 'message'));
    url = `http://127.0.0.1:${port}/oauth/token`;
  });
  afterAll(() => server.terminate());

  const standStill = (ms: number): void => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  };

  async function askAndStandStill(query: string): Promise<string> {
    const requests = once(server, 'message');
    const request = { method: 'POST', headers: {}, body: 'grant_type=refresh_token' };
    const answer = exchange({
      operation: 'refresh',
      url: `${url}?${query}`,
      request,
      transport: createTransport(),
      limitMs: LIMIT_MS,
    });
    await requests;
    standStill(LIMIT_MS * 3);
    return Buffer.from((await answer).body).toString();
  }

  test.each(['after=50', 'after=50&packed'])(
    'does not lose an answer that arrived in time (%s)',
    async (query) => {
      expect(await askAndStandStill(query)).toBe(TOKENS);
    },
  );
});

describe('answer timeout', () => {
  const trickle = (first: string, bytes: string, everyMs = 20): Wire => {
    return (socket) => {
      let at = 0;
      socket.write(first);
      const timer = setInterval(() => socket.write(bytes.charAt(at++) || bytes.slice(-1)), everyMs);
      socket.on('close', () => clearInterval(timer));
    };
  };

  test.each<[string, Wire]>([
    ['no bytes', () => undefined],
    ['a head sent one byte at a time', trickle('', GOOD)],
    ['an endless head', trickle(head(), 'x: yyyyyyyyyyyyyyy')],
    ['a body sent one byte at a time', trickle(`${head('content-length: 5000')}\r\n`, BODY)],
    ['chunks sent one byte at a time', trickle(CHUNKED, chunk(' ').repeat(100))],
    ['endless early hints', trickle('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100), 1)],
    ['less than the content length', sends(head('content-length: 5000'), `\r\n${BODY}`)],
    ['less than the chunk size', sends(CHUNKED, `7fffffffffff\r\n${BODY}`)],
    ['an incomplete gzip stream', sends(GZIPPED, PACKED.subarray(0, 40))],
  ])('aborts an answer with %s', async (_what, wire) => {
    const sockets: Socket[] = [];
    const failures = await failuresOn(
      raw,
      (socket) => {
        sockets.push(socket);
        wire(socket);
      },
      300,
    );
    expect(failures).toEqual(twice('unavailable'));
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });
});

describe('endless answer', () => {
  async function growthDuring(work: () => Promise<unknown>): Promise<number> {
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
    const before = used();
    let worst = before;
    const watch = setInterval(() => (worst = Math.max(worst, used())), 1);
    await work();
    clearInterval(watch);
    return Math.max(worst, used()) - before;
  }

  function endless(chunk: Buffer, headers: Record<string, string> = {}) {
    const count = { sent: 0 };
    const answer: Answer = (response: ServerResponse) => {
      const more = (): void => {
        while (!response.destroyed && count.sent < 1024 * MIB) {
          count.sent += chunk.length;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.writeHead(200, { ...JSON_TYPE, ...headers }).on('drain', more);
      more();
    };
    return { count, answer };
  }

  test.each<[string, Record<string, string>]>([
    ['in chunks', {}],
    ['with a content length', { 'content-length': String(1024 * MIB) }],
  ])('%s is aborted at 1 MiB', async (_how, headers) => {
    const { count, answer } = endless(Buffer.alloc(64 * 1024, ' '), headers);
    provider.answers(answer);
    const growth = await growthDuring(async () => {
      const failure = await failureOf(CALLS['a write'](hostileApi(provider.url)));
      expect(failure).toMatchObject({ code: 'malformed', status: 200 });
      expect(failure.message).toContain('1 MiB');
    });
    expect(count.sent).toBeLessThan(20 * MIB);
    expect(growth).toBeLessThan(20 * MIB);
  });

  test('in gzip is aborted at 1 MiB of unpacked data', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
    provider.answers((response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      for (let part = 0; part < 16; part += 1) response.write(bomb);
      response.end();
    });
    const growth = await growthDuring(async () => {
      const failure = await failureOf(CALLS['a write'](hostileApi(provider.url)));
      expect(failure).toMatchObject({ code: 'malformed', status: 200 });
      expect(failure.message).toContain('1 MiB');
    });
    expect(growth).toBeLessThan(20 * MIB);
  });
});
