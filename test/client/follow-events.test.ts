import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import {
  ApiProblem,
  createClient,
  type Agreement,
  type EventsOptions,
  type PaytoEvent,
  type ReceivedEvent,
} from '../../client/create.js';
import { listen } from '../support/http.js';

type Answer = () => Response;

const event = (id: string) => ({ id, type: 'payment.settled', data: {} });
const block = (id: string) => `id: c-${id}\nevent: payment.settled\ndata: ${JSON.stringify(event(id))}\n\n`;

const bodyOf = (text: string, end?: 'open' | 'broken') =>
  new ReadableStream<Uint8Array>({
    start: (body) => body.enqueue(Buffer.from(text)),
    pull: (body) => {
      if (end === 'broken') body.error(new TypeError('terminated'));
      if (end === undefined) body.close();
    },
  });
const stream =
  (text: string, end?: 'open' | 'broken'): Answer =>
  () =>
    new Response(bodyOf(text, end), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
const page =
  (ids: readonly string[], next: string): Answer =>
  () =>
    Response.json({ data: ids.map(event), up_to_date: true, links: { next: `/v1/events?cursor=${next}` } });
const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ code, detail: 'As tested.', request_id: 'r' }, { status, headers });
const lost: Answer = () => {
  throw new TypeError('fetch failed');
};

/** A client whose requests get these answers, one after the other, and then the last one again. */
function aFeed(...answers: Answer[]) {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    return Promise.resolve((answers[requests.length - 1] ?? answers.at(-1) ?? lost)());
  };
  const queries = () => requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  return { client: createClient({ url: 'http://api.test', apiKey: 'k', fetch }), requests, queries };
}

async function first(count: number, events: AsyncIterable<ReceivedEvent>): Promise<string[]> {
  const received: string[] = [];
  for await (const { event: one, cursor } of events) {
    received.push(`${one.id} ${cursor}`);
    if (received.length === count) break;
  }
  return received;
}

/** The pauses that the iterator makes until it has so many events, or throws. Time passes at once. */
async function pausesOf(answers: Answer[], count: number, options: EventsOptions = {}) {
  const pauses: number[] = [];
  const feed = aFeed(...answers);
  const events = feed.client.events({ ...options, onRetry: (_, pauseMs) => void pauses.push(pauseMs) });
  const received = first(count, events).catch((error: unknown) => error);
  for (let i = 0; i < answers.length * 2; i += 1) await vi.advanceTimersByTimeAsync(60_000);
  return { received: await received, pauses, ...feed };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('events over a stream', () => {
  test('are requested with the filters, and come with their cursors', async () => {
    const { client, requests, queries } = aFeed(stream(`${block('1')}: keep-alive\n\n${block('2')}`, 'open'));
    const types = ['agreement.active', 'payment.*'] as const;
    const events = client.events({ types, connection: 'acme', since: '2026-11-01T00:00:00Z' });
    expect(await first(2, events)).toEqual(['1 c-1', '2 c-2']);
    expect(queries()).toEqual([
      { type: 'agreement.active,payment.*', connection: 'acme', since: '2026-11-01T00:00:00Z' },
    ]);
    expect(requests[0]?.headers.get('accept')).toBe('text/event-stream');
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer k');
  });

  test('continue after the last one if the connection is lost', async () => {
    const half = block('2').slice(0, -3);
    const answers = [
      stream(`retry: 500\n\n${block('1')}${half}`, 'broken'),
      lost,
      stream(block('2'), 'open'),
    ];
    const { received, pauses, queries } = await pausesOf(answers, 2, { cursor: 'c-0' });
    expect(received).toEqual(['1 c-1', '2 c-2']);
    expect(queries().map(({ cursor }) => cursor)).toEqual(['c-0', 'c-1', 'c-1']);
    expect(pauses).toEqual([500, 1000]);
  });

  test('continue where the stream has begun if it had no event yet', async () => {
    const begun = stream('retry: 2000\nid: c-start\n\n', 'broken');
    const { queries, received } = await pausesOf([begun, stream(block('1'), 'open')], 1);
    expect([queries(), received]).toEqual([[{}, { cursor: 'c-start' }], ['1 c-1']]);
  });

  test('are requested again after a minute without a byte, but not while the reader is busy', async () => {
    const silent = stream(block('1') + block('2'), 'open');
    const { client, requests } = aFeed(silent, stream(block('3'), 'open'));
    const events = client.events();
    await events.next();
    await vi.advanceTimersByTimeAsync(600_000);
    expect((await events.next()).value).toMatchObject({ cursor: 'c-2' });
    const third = events.next();
    await vi.advanceTimersByTimeAsync(62_000);
    expect(await third).toMatchObject({ value: { cursor: 'c-3' } });
    expect(requests).toHaveLength(2);
    await events.return(undefined);
  });

  test.each(['stream', 'poll'] as const)('end at once when aborted, also in a pause (%s)', async (mode) => {
    const silent = () => new Promise<Response>(() => undefined);
    for (const answer of [silent, stream('', 'open'), lost]) {
      const abort = new AbortController();
      const fetch = async () => answer();
      const { events } = createClient({ url: 'http://api.test', apiKey: 'k', fetch });
      const next = events({ mode, signal: abort.signal }).next();
      await vi.advanceTimersByTimeAsync(10);
      abort.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  test('cancel the response when the reader stops', async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({ start: (to) => to.enqueue(Buffer.from(block('1'))), cancel });
    const { client } = aFeed(() => new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    await first(1, client.events());
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('have data of the type that their own type says', () => {
    const check = (one: PaytoEvent) => {
      if (one.type === 'agreement.active') expectTypeOf(one.data).toEqualTypeOf<Agreement>();
    };
    expect(check).toBeTypeOf('function');
    // @ts-expect-error there is no such type
    void (() => createClient({ url: '', apiKey: '' }).events({ types: ['payment.lost'] }));
  });
});

test('events continue over HTTP after the server has cut the connection within an event', async () => {
  vi.useRealTimers();
  const { server, url } = await listen();
  const urls: (string | undefined)[] = [];
  server.on('request', (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (urls.push(request.url) > 1) response.write(block('2'));
    else response.write(`retry: 10\n\n${block('1')}id: c-2\ndata: {`, () => request.socket.destroy());
  });
  const abort = new AbortController();
  const events = createClient({ url, apiKey: 'k' }).events({ signal: abort.signal });
  expect([await events.next(), await events.next()]).toMatchObject([
    { value: { event: { id: '1' }, cursor: 'c-1' } },
    { value: { event: { id: '2' }, cursor: 'c-2' } },
  ]);
  expect(urls).toEqual(['/v1/events', '/v1/events?cursor=c-1']);
  const next = events.next();
  abort.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  server.closeAllConnections();
  server.close();
});

describe('events over pages', () => {
  test('repeat at most a page: only its last event has the next cursor', async () => {
    const { client, queries } = aFeed(page(['1'], 'c1'), page(['2', '3'], 'c3'), page(['4'], 'c4'));
    expect(await first(4, client.events({ mode: 'poll' }))).toEqual(['1 c1', '2 c1', '3 c3', '4 c4']);
    expect(queries()).toEqual([
      { wait: '30', per_page: '1' },
      { cursor: 'c1', wait: '30', per_page: '100' },
      { cursor: 'c3', wait: '30', per_page: '100' },
    ]);
  });

  test('are requested once a second if the server does not wait', async () => {
    const { client, requests } = aFeed(page([], 'c0'));
    const abort = new AbortController();
    const next = client.events({ mode: 'poll', signal: abort.signal }).next();
    await vi.advanceTimersByTimeAsync(9_500);
    expect(requests).toHaveLength(10);
    abort.abort();
    await next;
  });
});

describe.each(['stream', 'poll'] as const)('a failure (%s)', (mode) => {
  const good = mode === 'stream' ? stream(block('1'), 'open') : page(['1'], 'c-1');

  test('is retried after a pause that doubles up to 30 s', async () => {
    const failures = [...Array<Answer>(6).fill(lost), problem(500, 'internal')];
    const { received, pauses } = await pausesOf([...failures, good], 1, { mode });
    expect(received).toEqual(['1 c-1']);
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  test('is retried not before Retry-After', async () => {
    const later = new Date(Date.now() + 50_000).toUTCString();
    const answers = [
      problem(429, 'too_many_requests', { 'retry-after': '40' }),
      problem(503, 'records_unavailable', { 'retry-after': later }),
    ];
    const { pauses } = await pausesOf([...answers, good], 1, { mode });
    expect(pauses[0]).toBe(40_000);
    expect(pauses[1]).toBeGreaterThan(2000);
  });

  test.each([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [410, 'events_expired'],
  ])('is thrown for %i', async (status, code) => {
    const { received, pauses } = await pausesOf([problem(status, code)], 1, { mode });
    expect(received).toBeInstanceOf(ApiProblem);
    expect(received).toMatchObject({ status, code, requestId: 'r' });
    expect(pauses).toEqual([]);
  });

  test('is thrown for a page of another server, and a malformed URL', async () => {
    const other = () => new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } });
    expect((await pausesOf([other], 1, { mode })).received).toBeInstanceOf(ApiProblem);
    const { events } = createClient({ url: 'nowhere', apiKey: 'k' });
    await expect(events({ mode }).next()).rejects.toThrow(TypeError);
  });
});
