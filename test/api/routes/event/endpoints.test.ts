import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PUBLIC_ENDPOINTS } from '../../../../api/app.js';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { SealError } from '../../../../sealing/keyring.js';
import { secretOf } from '../../../../sealing/secret.js';
import { KEYS, anApi, get } from '../../../support/api/app.js';
import { aPaymentView, problemIn } from '../../../support/api/builders.js';
import { AT, anEvent, recordEvents } from '../../../support/api/events.js';
import type { RecordedEvent } from '../../../../records/events.js';

const refusing = anApi();

interface Page {
  data: { id: string; type: string }[];
  up_to_date: boolean;
  links: { next: string };
}
const pageOf = async (response: Response): Promise<Page> => {
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
};
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

function anApiWith(events: readonly RecordedEvent[], expiredBefore?: string) {
  const api = anApi();
  recordEvents(api, events, expiredBefore);
  return api;
}

test('pages follow each other, and the newest one also has a next one', async () => {
  const events = [1, 2, 3].map((position) => anEvent(position));
  const api = anApiWith(events);
  const first = await pageOf(await get(api, '/v1/events?per_page=2&type=payment.*&resource=pay-1'));
  expect([idsOf(first), first.up_to_date]).toEqual([['evt_1', 'evt_2'], false]);
  const second = await pageOf(await get(api, first.links.next));
  expect([idsOf(second), second.up_to_date]).toEqual([['evt_3'], true]);
  events.push(anEvent(4));
  expect(idsOf(await pageOf(await get(api, second.links.next)))).toEqual(['evt_4']);
  expect(api.door.events.page.mock.lastCall?.[0].filter).toMatchObject({ uid: 'pay-1' });
});

test('the address of the resource of an event is a path of this API', async () => {
  const kinds = ['payment', 'stop', 'webhook-endpoint', 'float-account', 'unmatched-credit'];
  const api = anApiWith(kinds.map((resource, n) => anEvent(n + 1, { resource, view: {} })));
  const Events = z.object({ data: z.array(z.object({ resource: z.object({ url: z.string() }) })) });
  const { data } = Events.parse(await pageOf(await get(api, '/v1/events')));
  expect(data).toHaveLength(kinds.length);
  const paths = PUBLIC_ENDPOINTS.flatMap(({ routes }) => routes.map(({ path }) => path));
  expect(paths.map((path) => path.replace(/\{\w+\}$/, 'pay-1'))).toEqual(
    expect.arrayContaining(data.map(({ resource }) => resource.url)),
  );
});

test('a page without a match is walked on from, so that a caller gets the next match at once', async () => {
  const api = anApiWith([anEvent(9)]);
  const walked = { events: [], isNewest: false, expiredBefore: undefined };
  api.door.events.page.mockResolvedValueOnce({ ...walked, next: [1, '700', 5] });
  expect(idsOf(await pageOf(await get(api, '/v1/events?type=payment.settled')))).toEqual(['evt_9']);
  expect(api.door.events.page.mock.lastCall?.[0].after).toEqual([1, '700', 5]);
});

test('a request waits for an event, also if the records go away in between', async () => {
  const events: RecordedEvent[] = [];
  const api = anApiWith(events);
  const waiting = get(api, '/v1/events?wait=30&type=payment.settled');
  await expect.poll(() => api.door.events.newest.mock.calls.length).toBe(1);
  api.door.events.page.mockRejectedValueOnce(new ApiError('records_unavailable', 'away'));
  events.push(anEvent(1, { type: 'payment.failed' }), anEvent(2));
  expect(idsOf(await pageOf(await waiting))).toEqual(['evt_2']);
});

test.each([
  ['type=payment.setled', 'type', 'payment.settled'],
  ['type=nothing.*', 'type', 'agreement.*'],
  ['type=', 'type', 'agreement.created'],
  ['resource_type=invoice', 'resource_type', 'float_account'],
  ['cursor=Zm9yZ2Vk', 'cursor', 'cursor of a page of events'],
  [`cursor=${Buffer.from('["audit",1,"1",1,1]').toString('base64url')}`, 'cursor', 'cursor of a page'],
])('%s is refused and says what was expected', async (query, parameter, expected) => {
  const problem = await problemIn(await get(refusing, `/v1/events?${query}`));
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ parameter }] });
  expect(JSON.stringify(problem)).toContain(expected);
});

test('a place before deleted events is answered with where to continue, and the oldest page never is', async () => {
  const events = [anEvent(1)];
  const before = await pageOf(await get(anApiWith(events), '/v1/events?per_page=1'));
  const api = anApiWith(events, '2026-10-01T01:30:00.000Z');
  const problem = await problemIn(await get(api, before.links.next));
  expect(problem).toMatchObject({ status: 410, code: 'events_expired' });
  expect(problem.detail).toContain('since=2026-10-01T01:30:00.000Z');
  expect((await problemIn(await get(api, `/v1/events?since=${AT}`))).code).toBe('events_expired');
  for (const query of ['since=2026-10-01T01:30:00.000Z', 'per_page=1']) {
    const page = await pageOf(await get(api, `/v1/events?${query}`));
    await pageOf(await get(api, page.links.next));
  }
});

test('a bound key gets the events of its connections, masked as its scopes demand', async () => {
  const api = anApiWith([
    anEvent(1, { connectionId: 'other' }),
    anEvent(2, { connectionId: undefined }),
    anEvent(3, { view: { ...anEvent(3).view, note: 'account 200001-12340001' } }),
  ]);
  const sha256 = secretOf(createHash('sha256').update('bound').digest());
  api.keysNow.push({ id: 'b', principal: 'b', scopes: ['read'], sha256, connections: ['acme'] });
  expect(idsOf(await pageOf(await get(api, '/v1/events', 'bound')))).toEqual(['evt_3']);
  const statuses = [
    '/v1/events/evt_1',
    '/v1/events/evt_2',
    '/v1/events/evt_3',
    '/v1/events?connection=other',
  ];
  const answers = await Promise.all(statuses.map((path) => get(api, path, 'bound')));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 200, 404]);
  expect(idsOf(await pageOf(await get(api, '/v1/events', KEYS.read)))).toEqual(['evt_1', 'evt_2', 'evt_3']);
});

test('an event that cannot be opened or rendered comes without data, and is logged once', async () => {
  const damaged = new SealError('not_authentic', 'damaged');
  const api = anApiWith([
    anEvent(1, { view: {}, unreadable: { event: damaged, previousView: undefined } }),
    anEvent(2, { resource: 'agreement', view: {}, previousView: aPaymentView() }),
    anEvent(3, { previousView: {}, unreadable: { event: undefined, previousView: damaged } }),
    anEvent(4, { previousView: aPaymentView({ state: 'pending' }) }),
  ]);
  const shell = { data: {}, previous: null, resource: { uid: 'pay-1' } };
  for (let time = 0; time < 2; time += 1)
    expect((await pageOf(await get(api, '/v1/events'))).data).toMatchObject([
      { ...shell, id: 'evt_1' },
      { ...shell, id: 'evt_2' },
      { id: 'evt_3', data: { uid: 'pay-1' }, previous: null },
      { id: 'evt_4', previous: { state: 'pending' } },
    ]);
  expect(api.lines.filter((line) => line.includes('an event could not be read'))).toHaveLength(3);
  expect(await (await get(api, '/v1/events/evt_1')).json()).toMatchObject({ data: shell });
});

test('`previous` also has the fields that there are no more', async () => {
  const of = { resource: 'settlement', view: { lineCount: 3 }, previousView: { lineCount: 3, note: 'late' } };
  const { data } = await pageOf(await get(anApiWith([anEvent(1, of)]), '/v1/events'));
  expect(data).toMatchObject([{ data: { line_count: 3 }, previous: { note: 'late' } }]);
});

test.each([
  ['text/event-stream', 'text/event-stream'],
  ['application/json;q=0.5, text/event-stream', 'text/event-stream'],
  ['application/json, text/event-stream;q=0', 'application/json'],
  ['application/json, text/event-stream', 'application/json'],
  ['*/*', 'application/json'],
])('Accept: %s is answered with %s', async (accept, expected) => {
  const headers = { authorization: `Bearer ${KEYS.all}`, accept };
  const response = await anApiWith([]).app.request('/v1/events', { headers });
  expect(response.headers.get('content-type')).toContain(expected);
  await response.body?.cancel();
});

test('streams that are behind do not delay pages', async () => {
  const stopping = new AbortController();
  const api = anApi({ bridge: { stopping: stopping.signal } });
  recordEvents(api, [anEvent(1)]);
  const { page } = api.door.events;
  const whole = page.getMockImplementation();
  page.mockImplementation((of) =>
    of.limit === 20 ? new Promise(() => undefined) : (whole?.(of) ?? Promise.reject(new Error('no page'))),
  );
  const headers = { authorization: `Bearer ${KEYS.all}`, accept: 'text/event-stream' };
  for (let n = 0; n < 9; n += 1) void api.app.request(`/v1/events?since=${AT}`, { headers });
  await expect.poll(() => page.mock.calls.filter(([{ limit }]) => limit === 20).length).toBe(2);
  expect(idsOf(await pageOf(await get(api, '/v1/events?per_page=5')))).toEqual(['evt_1']);
  stopping.abort();
});

test('while the records are away, the answer is a problem', async () => {
  const api = anApi();
  api.door.events.page.mockRejectedValueOnce(new ApiError('records_unavailable', 'away'));
  expect(await problemIn(await get(api, '/v1/events'))).toMatchObject({ status: 503 });
});
