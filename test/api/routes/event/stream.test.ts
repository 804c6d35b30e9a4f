import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { SealError } from '../../../../sealing/keyring.js';
import { openPort } from '../../../../api/port.js';
import { KEYS, anApi, type Api } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';
import { anEvent, recordEvents } from '../../../support/api/events.js';
import { eventually } from '../../../support/temporal.js';
import type { RecordedEvent } from '../../../../records/events.js';

const request = (api: Api, query = '', headers: Record<string, string> = {}, key: string = KEYS.all) =>
  api.app.request(`/v1/events${query}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
  });

async function listen(...of: Parameters<typeof request>) {
  const response = await request(...of);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  let text = '';
  let isOver = false;
  const readAll = async (): Promise<void> => {
    const { done, value } = await reader.read();
    if (value !== undefined) text += Buffer.from(value).toString();
    isOver = done;
    if (!done) return readAll();
  };
  void readAll();
  const events = () =>
    text
      .split('\n\n')
      .map((part) => /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/.exec(part))
      .flatMap((found) => (found === null ? [] : [{ cursor: found[1], id: idIn(found[3]) }]));
  const until = (...ids: string[]) => expect.poll(() => events().map(({ id }) => id)).toEqual(ids);
  return { until, events, text: () => text, over: () => expect.poll(() => isOver).toBe(true) };
}
const idIn = (json = ''): unknown => (JSON.parse(json) as { id: unknown }).id;

function anApiWith(events: readonly RecordedEvent[], ...over: Parameters<typeof anApi>) {
  const api = anApi(...over);
  recordEvents(api, events);
  return api;
}

test('a stream begins now, and one with the id of an event continues after it', async () => {
  const events = [anEvent(1)];
  const api = anApiWith(events);
  const first = await listen(api);
  events.push(anEvent(2), anEvent(3));
  await first.until('evt_2', 'evt_3');
  const headers = { 'last-event-id': first.events()[0]?.cursor ?? '' };
  const second = await listen(api, '?since=2026-10-01T00:00:00Z', headers);
  await second.until('evt_3');
  events.push(anEvent(4, { type: 'payment.failed' }), anEvent(5));
  await Promise.all([
    first.until('evt_2', 'evt_3', 'evt_4', 'evt_5'),
    second.until('evt_3', 'evt_4', 'evt_5'),
  ]);
  expect(first.text()).toMatch(/^retry: 2000\nid: \S+\n\n/);
});

test('a stream that is cut off before any event continues where it began', async () => {
  const events = [anEvent(1)];
  const api = anApiWith(events);
  const cut = await listen(api);
  await expect.poll(cut.text).toMatch(/^id: \S+$/m);
  events.push(anEvent(2));
  const [, id = ''] = /^id: (\S+)$/m.exec(cut.text()) ?? [];
  await (await listen(api, '', { 'last-event-id': id })).until('evt_2');
});

test('a stream is cut off if a key is missing, instead of looking healthy', async () => {
  const events: RecordedEvent[] = [];
  const api = anApiWith(events);
  const reader = (await request(api)).body?.getReader();
  await reader?.read();
  api.door.events.page.mockRejectedValue(new SealError('unknown_key', 'no such key'));
  await expect(reader?.read()).rejects.toThrow(SealError);
  expect(api.lines.filter((line) => line.includes('a long answer was cut off'))).toHaveLength(1);
});

test('many listeners cause one reading of the records', async () => {
  const events: RecordedEvent[] = [];
  const api = anApiWith(events);
  const listeners = await Promise.all(Array.from({ length: 20 }, () => listen(api)));
  await listeners[0]?.until();
  const pages = () => api.door.events.page.mock.calls.filter(([{ limit }]) => limit === 20).length;
  const before = pages();
  events.push(...[1, 2, 3].map((position) => anEvent(position)));
  await Promise.all(listeners.map(({ until }) => until('evt_1', 'evt_2', 'evt_3')));
  expect(pages()).toBeLessThanOrEqual(before + 20);
  events.push(anEvent(4));
  const settled = pages();
  await Promise.all(listeners.map(({ until }) => until('evt_1', 'evt_2', 'evt_3', 'evt_4')));
  expect(pages()).toBe(settled);
});

test('a stream stays open while the records are away', async () => {
  const events: RecordedEvent[] = [];
  const api = anApiWith(events);
  const listener = await listen(api);
  for (let n = 0; n < 3; n += 1)
    api.door.events.page.mockRejectedValueOnce(new ApiError('records_unavailable', 'away'));
  events.push(anEvent(1));
  await listener.until('evt_1');
  expect(api.lines.filter((line) => line.includes('reading new events failed'))).toHaveLength(1);
});

test('a listener that reads nothing is not sent more than a page or two ahead', async () => {
  const view = { ...anEvent(1).view, note: 'x'.repeat(20_000) };
  const api = anApiWith(Array.from({ length: 500 }, (_, index) => anEvent(index + 1, { view })));
  const response = await request(api, '?since=2026-10-01T00:00:00Z');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  const { calls } = api.door.events.page.mock;
  await expect.poll(() => calls.length).toBeGreaterThan(1);
  expect(calls.filter(([{ limit }]) => limit === 20).length).toBeLessThan(5);
  await reader.cancel();
});

test('streams end with the key, with its scopes, and with the process, and free their place', async () => {
  const stopping = new AbortController();
  const events: RecordedEvent[] = [];
  const api = anApiWith(events, { bridge: { stopping: stopping.signal }, waits: { ofKey: 1, ofProcess: 9 } });
  const [whole, reading] = [await listen(api), await listen(api, '', {}, KEYS.read)];
  expect(await problemIn(await request(api))).toMatchObject({ code: 'too_many_requests' });
  const index = api.keysNow.findIndex(({ id }) => id === 'id-read');
  const [key] = api.keysNow.splice(index, 1);
  events.push(anEvent(1));
  await reading.over();
  await whole.until('evt_1');
  expect(reading.events()).toEqual([]);
  if (key !== undefined) api.keysNow.push(key);
  await listen(api, '', {}, KEYS.read);
  stopping.abort();
  await whole.over();
});

test('a listener that disconnects frees its place, and a stream is the last answer on its connection', async () => {
  const stopping = new AbortController();
  const api = anApiWith([], { bridge: { stopping: stopping.signal }, waits: { ofKey: 1, ofProcess: 9 } });
  const server = await openPort({ app: api.app, host: '127.0.0.1', port: 0, variable: 'API' });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const headers = { authorization: `Bearer ${KEYS.all}`, accept: 'text/event-stream' };
  const { port } = server.address() as AddressInfo;
  const open = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/v1/events`, { headers, ...(signal && { signal }) });
  const leaving = new AbortController();
  expect((await open(leaving.signal)).status).toBe(200);
  expect((await open()).status).toBe(429);
  leaving.abort();
  const head = await fetch(`http://127.0.0.1:${port}/v1/events`, { method: 'HEAD', headers });
  expect(head.headers.get('content-type')).toBe('text/event-stream');
  const stream = await eventually(
    () => open(),
    ({ status }) => status === 200,
  );
  stopping.abort();
  expect(await stream.text()).toContain('retry');
  expect(stream.headers.get('connection')).toBe('close');
});

test('a listener that reads nothing does not delay the shutdown', async () => {
  const stopping = new AbortController();
  const large = { resource: 'settlement', view: { note: 'x'.repeat(200_000) } };
  const events = Array.from({ length: 200 }, (_, index) => anEvent(index + 1, large));
  const api = anApiWith(events, { bridge: { stopping: stopping.signal } });
  const server = await openPort({ app: api.app, host: '127.0.0.1', port: 0, variable: 'API' });
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = [
    'GET /v1/events?since=2026-10-01T00:00:00Z HTTP/1.1',
    'host: api',
    'accept: text/event-stream',
  ];
  socket.write([...head, `authorization: Bearer ${KEYS.all}`, '', ''].join('\r\n'));
  socket.pause();
  const { calls } = api.door.events.page.mock;
  await expect.poll(() => calls.filter(([{ limit }]) => limit === 20).length).toBeGreaterThan(1);
  const closed = once(server, 'close');
  stopping.abort();
  server.close();
  await closed;
});

test('a malformed id and an expired one are answered before the stream begins', async () => {
  const api = anApi();
  expect(await problemIn(await request(api, '', { 'last-event-id': 'forged' }))).toMatchObject({
    code: 'invalid_request',
    errors: [{ header: 'Last-Event-ID' }],
  });
  recordEvents(api, [anEvent(1)], '2026-10-01T01:30:00.000Z');
  const cursor = Buffer.from('["events",1,"700",0,1]').toString('base64url');
  expect(await problemIn(await request(api, `?cursor=${cursor}`))).toMatchObject({ code: 'events_expired' });
});
