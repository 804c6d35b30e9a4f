// Requests made to cost more than they should: each answer is quick and no 5xx, and nothing of them stays in memory.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { masked } from '../../../api/http/masking.js';
import { readNotifications } from '../../../payments-api/webhook.js';
import { NOW, SECRET_OF_ACME, WEBHOOK_SECRET, anApi, post } from '../../support/api/app.js';
import { aPayment, aWebhook, anAgreement, signed } from '../../support/api/builders.js';
import { cpuOf } from '../../support/cpu.js';
import { sizeOf } from '../../support/size.js';

const MOST_CPU_MS = 250;
const MOST_GROWTH_BYTES = 50 * 1024 * 1024;

const ROUTES: Record<string, number> = {
  '/v1/batches': 6 << 20,
  '/v1/identifications': 6 << 20,
  '/v1/agreements': 32 << 10,
  '/v1/agreements/agr-1/payments': 32 << 10,
  '/v1/agreements/agr-1/cancellation': 32 << 10,
  '/v1/payments/pay-1/refunds': 32 << 10,
  '/v1/clients': 32 << 10,
  '/v1/counterparties': 32 << 10,
  '/v1/onboardings': 32 << 10,
  '/v1/stop': 32 << 10,
};

const PIECES = [
  ...['{}', '[]', '{"uid":"a"}', '0', '1e400', '"a"', '"__proto__":1', '"a":{}', '"a":{"b":', '[', '{', '"'],
  ...[
    '"party_name":"a a a a"',
    '{"resource_uid":"a"}',
    JSON.stringify(aWebhook().data),
    JSON.stringify(aPayment()),
  ],
];
const FRAMES = [
  ...['_', '[_]', '{_}', '{"rows":[_]}', '{"kind":"payments","rows":[_]}', '{"kind":"agreements","id":[_]}'],
  ...[
    '{"metadata":{_}}',
    '{"metadata":{"a":"_"}}',
    '{"payment_accounts":[_]}',
    '{"business_names":[_]}',
    '{"services":[_]}',
  ],
  ...[
    '{"data":[_]}',
    '{"data":{_}}',
    '{"data":{"body":{"text":"_"}}}',
    '[{"data":{_}}]',
    '{"data":[{"data":{_}}]}',
  ],
];
const WORDS = ['a', '1', '-', ' ', '1 ', '1-', '1,', 'a@', 'a.', '$1', 'account 1', '\\"', 'é', '/'];

/** A frame full of one piece or word, up to so many bytes. */
const full = (mostBytes: number): fc.Arbitrary<string> =>
  fc
    .record({
      frame: fc.constantFrom(...FRAMES),
      piece: fc.constantFrom(...PIECES, ...WORDS),
      separator: fc.constantFrom(',', ''),
      share: fc.constantFrom(0.01, 0.5, 0.95),
    })
    .map(({ frame, piece, separator, share }) => {
      const count = Math.floor((mostBytes * share) / (piece.length + separator.length));
      return frame.replace('_', () => (piece + separator).repeat(count).replace(/,$/, ''));
    });

const value = fc
  .constantFrom(...WORDS, 'Bearer ', 'application/json;', 'v1,')
  .chain((word) =>
    fc
      .constantFrom(1, 100, 8000)
      .map((length) => word.repeat(length / word.length + 1).replace(/[^ -~]/g, '')),
  );
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'authorization',
    'idempotency-key',
    'accept',
    'approval',
    'x-forwarded-for',
  ),
  value,
  { maxKeys: 2 },
);

async function gauge(property: (runs: number) => Promise<void>): Promise<void> {
  await property(sizeOf(20, 300)); // Code and caches grow at first.
  const before = heap();
  await property(sizeOf(50, 5000));
  expect(heap() - before).toBeLessThan(MOST_GROWTH_BYTES);
}

function heap(): number {
  vi.clearAllMocks();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return getHeapStatistics().used_heap_size;
}

const answered = (request: () => Promise<Response>): Promise<void> =>
  isCheap(async () => {
    const { status } = await request();
    vi.clearAllMocks();
    expect(status).toBeLessThan(500);
  });

/** The second try tells costly work from code that was compiled or garbage that was collected in the first. */
async function isCheap(work: () => unknown): Promise<void> {
  if ((await cpuOf(work)) >= MOST_CPU_MS) expect(await cpuOf(work)).toBeLessThan(MOST_CPU_MS);
}

test('bodies and headers are answered quickly', async () => {
  const api = anApi();
  const request = fc
    .constantFrom(...Object.entries(ROUTES))
    .chain(([path, bytes]) => fc.tuple(fc.constant(path), full(bytes), headers))
    .map(([path, body, given]) => ({
      ...{ path, body, given },
      [fc.toStringMethod]: () => `${path} ${JSON.stringify(given)} ${body.slice(0, 200)} (${body.length})`,
    }));
  await gauge((numRuns) =>
    fc.assert(
      fc.asyncProperty(request, ({ path, body, given }) =>
        answered(async () => post(api, path, body, given)),
      ),
      { numRuns },
    ),
  );
  expect((await post(api, '/v1/agreements', anAgreement())).status).toBeLessThan(300);
});

test('signed webhooks are stored, and masked for their readers, quickly', async () => {
  const api = anApi();
  const secret = fc.constantFrom(WEBHOOK_SECRET, SECRET_OF_ACME);
  const bytes = fc.oneof(full(64 << 10), fc.json({ maxDepth: 4 }), fc.string({ unit: 'binary' }));
  const push = (body: string, by: string) =>
    answered(async () =>
      api.app.request('/webhooks/acme', { method: 'POST', headers: signed(body, by, NOW), body }),
    );
  await gauge((numRuns) =>
    fc.assert(
      fc.asyncProperty(bytes, secret, async (body, by) => {
        await push(body, by);
        await isCheap(() => {
          readAndMasked(body);
        });
      }),
      { numRuns },
    ),
  );
});

function readAndMasked(body: string): void {
  try {
    masked(
      readNotifications(Buffer.from(body), { receivedAt: '2026-11-28T10:00:00.000Z', authenticated: true }),
    );
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_an_envelope' });
  }
}
