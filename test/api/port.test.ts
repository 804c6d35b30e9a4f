import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LIMITS, openPort } from '../../api/port.js';
import { anApi } from '../support/api/app.js';

const SOON = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 20 } as const;
const HERE = { host: '127.0.0.1', port: 0, variable: 'API' } as const;

async function opened(limits: Partial<Record<keyof typeof LIMITS, number>> = {}) {
  const server = await openPort({ ...HERE, app: anApi().app, limits });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}` };
}

async function answerTo(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await once(socket, 'close');
  return text;
}

test.each([
  ['headers', 'POST /webhooks HTTP/1.1\r\nhost: a\r\n', LIMITS.headersTimeout],
  [
    'a body',
    'POST /webhooks HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"da',
    LIMITS.requestTimeout,
  ],
])('a request without the rest of its %s is closed without an answer', async (_, start, limitMs) => {
  expect(limitMs).toBeLessThanOrEqual(10_000);
  const { port } = await opened(SOON);
  const socket = connect(port, '127.0.0.1');
  socket.write(start);
  expect(await answerTo(socket)).toBe('');
});

test('connections over the most are closed', async () => {
  const { server, port, url } = await opened();
  expect(server.maxConnections).toBe(5000);
  server.maxConnections = 1;
  const accepted = once(server, 'connection');
  const first = connect(port, '127.0.0.1');
  await accepted;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  first.destroy();
});

test('an idle connection stays open for longer than a proxy keeps it', async () => {
  const { server } = await opened();
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
});

test('the longest value of a parameter fits into a URL', async () => {
  const { url } = await opened();
  const longest = encodeURIComponent('\u{1F4A1}'.repeat(1024).padEnd(3072, '\u20AC'));
  expect(longest.length).toBeGreaterThan(2048 * 9);
  expect((await fetch(`${url}/v1/agreements?metadata_key=a&metadata_value=${longest}`)).status).toBe(401);
});

test.each([
  ['203.0.113.7', 0, /^API_HOST: expected an address of this machine; .*EADDRNOTAVAIL$/],
  ['127.0.0.1', undefined, /^API_PORT: expected a free port on 127.0.0.1; .*EADDRINUSE$/],
])('blames the variable that is wrong for %s', async (host, port, line) => {
  const { port: taken } = await opened();
  const opening = openPort({ app: anApi().app, variable: 'API', host, port: port ?? taken });
  await expect(opening).rejects.toThrow(line);
});
