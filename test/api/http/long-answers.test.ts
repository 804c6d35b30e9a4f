import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { STALLED_MS, longAnswer } from '../../../api/http/long-answers.js';
import { KEYS, anApi, get } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';
import type { Env } from '../../../api/http/env.js';
import type { Limiter } from '../../../api/http/wait-limiter.js';

const PATH = '/v1/journal?from=2026-10-04&until=2026-10-04';

test('a third journal of a key and a fourth one of all are refused until another ends, and other long answers are not', async () => {
  const api = anApi();
  const { read } = api.door.journal;
  const answers = [await get(api, PATH), await get(api, PATH)];
  const refused = await get(api, PATH);
  expect(await problemIn(refused)).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(refused.headers.get('retry-after')).toBe('2');
  answers.push(await get(api, PATH, KEYS.other));
  expect((await get(api, PATH, KEYS.other)).status).toBe(429);
  const headers = { accept: 'text/csv', authorization: `Bearer ${KEYS.all}` };
  expect((await api.app.request('/v1/float-accounts/float-1/entries', { headers })).status).toBe(200);
  await Promise.all(answers.map((answer) => answer.text()));
  expect((await get(api, PATH)).status).toBe(200);
  expect(read.mock.calls.length).toBeGreaterThan(0);
});

function aLongAnswer() {
  const { log } = anApi().dependencies;
  const closed = vi.fn<() => void>();
  const app = new Hono<Env>();
  app.onError((_, c) => c.body(null, 500));
  const leave = vi.fn<() => void>();
  const enter = vi.fn<Limiter['enter']>(() => leave);
  app.get('/:how', (c) => {
    const source = (async function* () {
      try {
        for (;;) yield await Promise.resolve('part ');
      } finally {
        closed();
      }
    })();
    return longAnswer(c, { log, limiter: { enter }, type: 'text/csv', source }, async () => {
      if (c.req.param('how') === 'broken') throw new Error('the database did not answer');
      await source.next();
      return source;
    });
  });
  return { app, closed, leave, enter };
}

test('its place is free again once its caller leaves, also before the first part was read', async () => {
  const { app, closed, leave } = aLongAnswer();
  const gone = new AbortController();
  await app.request('/whole', { signal: gone.signal });
  expect(leave).not.toHaveBeenCalled();
  gone.abort();
  await vi.waitFor(() => expect(leave).toHaveBeenCalledOnce());
  expect(closed).toHaveBeenCalledOnce();
});

test('its place is free again after an error of the first part', async () => {
  const { app, leave } = aLongAnswer();
  expect((await app.request('/broken')).status).toBe(500);
  await vi.waitFor(() => expect(leave).toHaveBeenCalledOnce());
});

test('a caller that takes no part for long is cut off', async () => {
  vi.useFakeTimers();
  const { app, closed, leave } = aLongAnswer();
  const destroy = vi.fn<() => void>();
  await app.request('/whole', {}, { outgoing: { destroy } });
  await vi.advanceTimersByTimeAsync(STALLED_MS);
  vi.useRealTimers();
  expect([destroy, closed, leave].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
});

test('HEAD reads nothing', async () => {
  const { app, enter } = aLongAnswer();
  const answer = await app.request('/whole', { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv']);
  expect(enter).not.toHaveBeenCalled();
});
