// The provider of bench/client.ts, in a process of its own so that its time is not counted: canned answers over HTTP, as
// fast as they can be given. Prints its address, and ends with the process that started it.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';

const MIB = 2 ** 20;
const GIANT_BYTES = 1024 * MIB;

const account = (value: string): object => ({ type: 'bban', value });

const agreement = (uid: string): object => ({
  uid,
  state: 'active',
  state_reason: null,
  state_caused_by: 'debtor',
  mms_agreement_id: 'a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4',
  created_at: '2026-09-01T10:00:00.123+10:00',
  purpose: 'utility',
  description: 'Plan 77',
  resolution_requested_before: '2026-10-03T02:00:00Z',
  validity_start_date: '2026-10-01',
  validity_end_date: null,
  payment_terms: { type: 'variable', frequency: 'monthly', count: 1, max_amount: 25_000, amount: null },
  debtor: {
    party_name: 'A Payer',
    ultimate_party_name: 'A Payer',
    account_identifier: account('200001-12340001'),
  },
  creditor: {
    party_name: 'B Biller',
    ultimate_party_name: 'B Biller',
    account_identifier: account('200002-55550001'),
  },
  initiator: { name: 'B Biller', legal_name: 'B Biller Pty Ltd', abn: '1', acn: null, client_id: '0195' },
  links: { self: `https://provider.example/payto/agreements/${uid}` },
});

const entry = (index: number): object => ({
  id: `01922222-0000-7000-8000-${String(index).padStart(12, '0')}`,
  type: 'payto_agreement.suspended',
  published_at: '2026-10-05T09:30:00.250+11:00',
  resource_uid: 'agr-1',
  resource_type: 'payto_agreement',
  body: {
    caused_by: 'debtor',
    reason: { code: 'MD16', title: 'By customer', detail: 'Asked for it', narrative: null },
  },
});

/** The first so many, as one page. */
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
const PACKED = gzipSync(Buffer.alloc(64 * MIB, ' ')); // so many in a row as make 1 GiB are still one gzip
let giantBytesSent = 0;

/** 1 GiB of blanks, as much of it as is taken. */
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
  const asked = new URL(url, 'http://provider');
  request.resume().on('end', () => {
    if (asked.pathname.endsWith('/giant')) return sendGiant(response);
    if (asked.pathname.endsWith('/packed-giant')) return sendPackedGiant(response);
    const body = asked.pathname === '/sent' ? String(giantBytesSent) : answerOf(method, asked);
    const length = Buffer.byteLength(body);
    response.writeHead(method === 'POST' ? 201 : 200, { ...JSON_TYPE, 'content-length': length }).end(body);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
process.stdin.resume().on('end', () => process.exit(0));
