// A webhook is signed, and reaches only addresses that are allowed, within its limits.
import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSender, type SenderOptions } from '../../../activities/webhook/send.js';
import type { ResolveName } from '../../../activities/webhook/name-lookup.js';

const secretOf = (letter: string): string => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;
const ONE = secretOf('1');
const OTHER = secretOf('2');
const BODY = JSON.stringify({ id: 'evt_1', type: 'payment.settled' });

async function receiver(handle: http.RequestListener): Promise<string> {
  const server = http.createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/hooks`;
}

function sending(url: string, options: Partial<SenderOptions> = {}, secrets = [ONE]) {
  const sender = createSender({ allowsPrivate: true, connections: 2, ...options });
  onTestFinished(sender.close);
  return sender.send({ url, secrets, id: 'evt_1', body: BODY });
}

const resolvesTo =
  (...addresses: string[]): ResolveName =>
  () =>
    Promise.resolve(addresses);

test('each secret signs, as the library of Standard Webhooks verifies', async () => {
  const received: { body: string; headers: Record<string, string> }[] = [];
  const url = await receiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        body: Buffer.concat(chunks).toString(),
        headers: request.headers as Record<string, string>,
      });
      response.end('thanks');
    });
  });
  const answer = await sending(url, {}, [ONE, OTHER]);
  expect(answer).toMatchObject({ isDelivered: true, status: 200, problem: undefined, answer: 'thanks' });
  const [{ body, headers } = { body: '', headers: {} }] = received;
  for (const secret of [ONE, OTHER])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(BODY));
  expect(() => new Webhook(secretOf('3')).verify(body, headers)).toThrow('No matching signature');
  expect(headers).toMatchObject({ 'user-agent': 'payto-agreements', 'webhook-id': 'evt_1' });
});

test('a redirect is not followed', async () => {
  const reached = vi.fn();
  const inside = await receiver((_, response) => {
    reached();
    response.end();
  });
  const url = await receiver((_, response) => response.writeHead(302, { location: inside }).end());
  expect(await sending(url)).toMatchObject({ isDelivered: false, status: 302, problem: 'redirect' });
  expect(reached).not.toHaveBeenCalled();
});

test('only the first kB of a long answer is read', async () => {
  const url = await receiver((_, response) => response.writeHead(500).end(Buffer.alloc(10_000_000, 'x')));
  const { answer, ...rest } = await sending(url);
  expect(rest).toMatchObject({ isDelivered: false, status: 500, problem: 'status' });
  expect(answer).toHaveLength(1024);
});

test('a receiver that never answers is left after the limit', async () => {
  const url = await receiver(() => undefined);
  expect(await sending(url, { limitMs: 50 })).toMatchObject({ isDelivered: false, problem: 'timeout' });
});

test('the status counts if the rest of the answer is late', async () => {
  const url = await receiver((_, response) => response.writeHead(200).write('so'));
  expect(await sending(url, { limitMs: 100 })).toMatchObject({
    isDelivered: true,
    status: 200,
    answer: 'so',
  });
});

test.each(['https://127.0.0.1/', 'https://[::1]/', 'http://example.com/', 'https://name.test/'])(
  '%s is refused unless private addresses are allowed',
  async (url) => {
    const resolve = resolvesTo('93.184.216.34', '10.0.0.8');
    const answer = await sending(url, { allowsPrivate: false, resolve });
    expect(answer).toMatchObject({ isDelivered: false, problem: 'refused_address' });
  },
);

test('a name is looked up once, so a second answer cannot lead to another address', async () => {
  const url = new URL(await receiver((_, response) => response.end()));
  url.hostname = 'name.test';
  const resolve = vi.fn<ResolveName>(resolvesTo('10.0.0.8')).mockImplementationOnce(resolvesTo('127.0.0.1'));
  const sender = createSender({ allowsPrivate: true, connections: 2, resolve });
  onTestFinished(sender.close);
  const send = () => sender.send({ url: url.href, secrets: [ONE], id: 'evt_1', body: BODY });
  for (const answer of await Promise.all([send(), send(), send()]))
    expect(answer).toMatchObject({ isDelivered: true });
  expect(resolve).toHaveBeenCalledOnce();
});

test('an answer 101 is a failure, and ends at once', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await sending(`http://127.0.0.1:${port}/`);
  expect(answer).toMatchObject({ isDelivered: false, status: 101, problem: 'status' });
});

test('a request that waits for a connection or a name ends at the limit too', async () => {
  const url = await receiver(() => undefined);
  const sender = createSender({ allowsPrivate: true, connections: 1, limitMs: 50 });
  onTestFinished(sender.close);
  const send = () => sender.send({ url, secrets: [ONE], id: 'evt_1', body: BODY });
  const nameless = sending('http://name.test/', { limitMs: 50, resolve: () => new Promise(() => undefined) });
  for (const answer of await Promise.all([send(), send(), nameless]))
    expect(answer).toMatchObject({ problem: 'timeout' });
});

test.each([
  [true, 'connection'],
  [false, 'refused_address'],
])(
  'localhost needs no DNS, and is refused unless private addresses are allowed (%s)',
  async (allowsPrivate, problem) => {
    expect(await sending('https://localhost:1/', { allowsPrivate })).toMatchObject({ problem });
  },
);

test('a kept connection that the receiver has closed is replaced at once', async () => {
  let requests = 0;
  const url = await receiver((request, response) => {
    requests += 1;
    if (requests === 2) request.socket.resetAndDestroy();
    else request.resume().on('end', () => response.end());
  });
  const sender = createSender({ allowsPrivate: true, connections: 1 });
  onTestFinished(sender.close);
  const send = () => sender.send({ url, secrets: [ONE], id: 'evt_1', body: BODY });
  expect(await send()).toMatchObject({ isDelivered: true });
  expect(await send()).toMatchObject({ isDelivered: true });
});

test.each([
  ['https', 'tls'],
  ['http', 'connection'],
])('a broken connection by %s has the problem %s', async (scheme, problem) => {
  const url = new URL(await receiver((request) => request.socket.destroy()));
  url.protocol = scheme;
  expect(await sending(url.href)).toMatchObject({ isDelivered: false, problem });
});

test('a name without addresses has the problem dns', async () => {
  const resolve = vi.spyOn(dns.promises.Resolver.prototype, 'resolve4').mockResolvedValue([]);
  vi.spyOn(dns.promises.Resolver.prototype, 'resolve6').mockRejectedValue(new Error('none'));
  const sender = createSender({ allowsPrivate: false, connections: 1 });
  onTestFinished(sender.close);
  const send = () => sender.send({ url: 'https://name.test/', secrets: [ONE], id: 'evt_1', body: BODY });
  for (const answer of await Promise.all([send(), send()])) expect(answer).toMatchObject({ problem: 'dns' });
  expect(resolve).toHaveBeenCalledOnce();
});
