// The provider of bench/client.ts, in a separate process so that its time does not count: prepared answers over HTTP, as fast
// as possible. Prints its address, and ends with its parent process.
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { anAgreementAnswer, anEvent } from '../../test/support/payments-api/examples.js';

const MIB = 2 ** 20;
const GIANT_BYTES = 1024 * MIB;

const agreement = (uid: string): object =>
  anAgreementAnswer({ uid, links: { self: `https://provider.example/payto/agreements/${uid}` } });

const entry = (index: number): object =>
  anEvent({ id: `01922222-0000-7000-8000-${String(index).padStart(12, '0')}`, resource_uid: 'agr-1' });

/** The first `count` entries, as one page. */
const page = (count: number, item: (index: number) => object, links: object = {}): string =>
  JSON.stringify({ data: Array.from({ length: count }, (_none, index) => item(index)), links });

const ONE = JSON.stringify({ data: agreement('agr-1') });
const AGREEMENTS = new Map(
  [20, 100].map((count) => [count, page(count, (index) => agreement(`agr-${index}`))]),
);
const HISTORIES = new Map([20, 100].map((count) => [`agr-${count}`, page(count, entry)]));
const LONG_HISTORY_PAGES = 50;

/** A page of a history of 5,000 entries. */
const longHistory = (at: number): string =>
  page(
    100,
    (index) => entry(at * 100 + index),
    at + 1 < LONG_HISTORY_PAGES ? { next: `?starting_after=${at + 1}` } : {},
  );
const LONG_HISTORY = Array.from({ length: LONG_HISTORY_PAGES }, (_none, at) => longHistory(at));

function answerOf(method: string, { pathname, searchParams }: URL): string {
  if (method === 'POST') return ONE;
  const [, , , uid, part] = pathname.split('/');
  if (uid === undefined) return AGREEMENTS.get(Number(searchParams.get('per_page') ?? 20)) ?? ONE;
  if (part === undefined) return ONE;
  return HISTORIES.get(uid) ?? LONG_HISTORY[Number(searchParams.get('starting_after') ?? 0)] ?? ONE;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const BLANKS = Buffer.alloc(64 * 1024, ' ');
const PACKED = gzipSync(Buffer.alloc(64 * MIB, ' ')); // Repeated up to 1 GiB, it is still one gzip stream.
let giantBytesSent = 0;

/** Sends 1 GiB of spaces, until the client closes the connection. */
function sendGiant(response: ServerResponse): void {
  giantBytesSent = 0;
  const more = (): void => {
    while (!response.destroyed && giantBytesSent < GIANT_BYTES) {
      giantBytesSent += BLANKS.length;
      if (!response.write(BLANKS)) return;
    }
    response.end();
  };
  response.writeHead(200, { ...JSON_TYPE, 'content-length': GIANT_BYTES }).on('drain', more);
  more();
}

function sendPackedGiant(response: ServerResponse): void {
  response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
  for (let part = 0; part < GIANT_BYTES / (64 * MIB); part += 1) response.write(PACKED);
  response.end();
}

const server = createServer((request, response) => {
  const { method = 'GET', url = '/' } = request;
  const requested = new URL(url, 'http://provider');
  request.resume().on('end', () => {
    if (requested.pathname.endsWith('/giant')) return sendGiant(response);
    if (requested.pathname.endsWith('/packed-giant')) return sendPackedGiant(response);
    const body = requested.pathname === '/sent' ? String(giantBytesSent) : answerOf(method, requested);
    const length = Buffer.byteLength(body);
    response.writeHead(method === 'POST' ? 201 : 200, { ...JSON_TYPE, 'content-length': length }).end(body);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
process.stdin.resume().on('end', () => process.exit(0));
