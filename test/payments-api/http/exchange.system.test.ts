// A process that stood still for longer than a call may last: the answer that came meanwhile counts, above all a token pair,
// which nobody gives a second time.
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { exchange } from '../../../payments-api/http/exchange.js';
import { createTransport } from '../../../payments-api/http/transport.js';
import { thrownBy } from '../../support/payments-api/loopback.js';

const LIMIT_MS = 300;
const BODY = '{"refresh_token":"refresh-2"}';

/** A server that runs while we stand still. It says when it was asked, and answers after so long; at 0 never. */
const SERVER = `
const { parentPort } = require('node:worker_threads');
const { gzipSync } = require('node:zlib');
const server = require('node:http').createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x');
  const after = Number(searchParams.get('after'));
  const headers = { 'content-type': 'application/json' };
  request.resume().on('end', () => {
    parentPort.postMessage('asked');
    if (after === 0) return;
    setTimeout(() => {
      const isPacked = searchParams.has('packed');
      response.writeHead(200, isPacked ? { ...headers, 'content-encoding': 'gzip' } : headers);
      response.end(isPacked ? gzipSync(${JSON.stringify(BODY)}) : ${JSON.stringify(BODY)});
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

/** Asks, and once the server has the question stands still until long after the limit. */
async function askAndStandStill(query: string): Promise<string> {
  const asked = once(server, 'message');
  const request = { method: 'POST', headers: {}, body: 'grant_type=refresh_token' };
  const answer = exchange({ operation: 'refresh', url: `${url}?${query}`, request, transport: createTransport(), limitMs: LIMIT_MS }); // prettier-ignore
  await asked;
  standStill(LIMIT_MS * 3);
  return Buffer.from((await answer).body).toString();
}

test.each(['after=50', 'after=50&packed'])('an answer that came meanwhile (%s) is used', async (query) => {
  expect(await askAndStandStill(query)).toBe(BODY);
});

test('one that did not come is not waited for much longer', async () => {
  const fromMs = performance.now();
  expect(await thrownBy(() => askAndStandStill('after=0'))).toMatchObject({ code: 'unavailable' });
  expect(performance.now() - fromMs).toBeLessThan(LIMIT_MS * 4 + 1500);
});
