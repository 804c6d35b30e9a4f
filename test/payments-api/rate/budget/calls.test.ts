import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBudget } from '../../../../payments-api/rate/budget.js';
import { createPaymentsApi } from '../../../../payments-api/client.js';
import { CALL, NOW, anAgreementAnswer } from '../../../support/payments-api/examples.js';
import { handClock } from '../../../support/payments-api/hand-clock.js';
import { json, raw, startLoopback, thrownBy, type Loopback } from '../../../support/payments-api/loopback.js';
import type { Call, HttpOptions } from '../../../../payments-api/http/send.js';

let provider: Loopback;
beforeAll(async () => {
  provider = await startLoopback();
});
afterAll(() => provider.close());

const HERS = { ...CALL, connectionId: 'acme' };
const good = json(200, { data: anAgreementAnswer({ uid: 'agr-1' }) });

function aClient({
  perSecond = 10,
  burst = 20,
  ...options
}: Partial<HttpOptions & { perSecond: number; burst: number }> = {}) {
  const clock = handClock();
  const payments = createPaymentsApi({
    baseUrl: provider.url,
    version: '20260901',
    versionHeader: 'Service-API-Version',
    now: () => new Date(NOW),
    budget: createBudget({ perSecond, burst, clock, chance: () => 0 }),
    ...options,
  });
  const read = (call: Call = HERS) => payments.getAgreement('agr-1', call);
  return { clock, read, payments };
}

const expectRequests = (count: number) => expect.poll(() => provider.requests.length).toBe(count);

test('each page waits for the rate limit as a separate call', async () => {
  const page = (next?: string) => json(200, { data: [anAgreementAnswer()], links: { next } });
  provider.answers(page('?starting_after=1'), page('?starting_after=2'), page());
  const { clock, payments } = aClient({ perSecond: 1, burst: 2 });
  const listed = (async () => {
    const uids: string[] = [];
    for await (const { uid } of payments.listAgreements({}, HERS)) uids.push(uid);
    return uids;
  })();
  await expectRequests(2);
  await clock.advance(999);
  expect(provider.requests).toHaveLength(2);
  await clock.advance(1);
  expect(await listed).toHaveLength(3);
});

test('all operations of a connection share its rate limit', async () => {
  provider.answers(good);
  const { read, payments } = aClient({ perSecond: 0.01, burst: 1 });
  await read();
  expect(await thrownBy(() => payments.getPayment('pay-1', HERS))).toMatchObject({
    code: 'rate_limited',
    status: undefined,
    retryAfterMs: 100_000,
  });
  expect(provider.requests).toHaveLength(1);
});

test('the queue time does not count towards the call timeout', async () => {
  provider.answers(good);
  const { clock, read } = aClient({ perSecond: 1, burst: 1 });
  await read();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const waiting = read();
    await clock.advance(999);
    expect(vi.getTimerCount()).toBe(0);
    await clock.advance(1);
    expect(await waiting).toMatchObject({ uid: 'agr-1' });
  } finally {
    vi.useRealTimers();
  }
});

test('a caller that aborts in the queue sends nothing', async () => {
  provider.answers(good);
  const { read } = aClient({ perSecond: 1, burst: 1 });
  const caller = new AbortController();
  await read();
  const waiting = thrownBy(() => read({ ...HERS, signal: caller.signal }));
  caller.abort(new Error('enough'));
  expect(await waiting).toMatchObject({ code: 'unavailable', cause: { message: 'enough' } });
  expect(provider.requests).toHaveLength(1);
});

test.each([
  ['a 429 with seconds', raw(429, '', { 'retry-after': '7' }), 7000],
  [
    'a 429 with a date',
    raw(429, '', { 'retry-after': new Date(Date.parse(NOW) + 7000).toUTCString() }),
    7000,
  ],
  ['a 429 without Retry-After', raw(429, ''), 1000],
  ['a 503 with seconds', raw(503, '', { 'retry-after': '7' }), 7000],
])('%s pauses the connection for the given time', async (_what, refusal, pauseMs) => {
  provider.answers(refusal, good);
  const { clock, read } = aClient();
  expect(await thrownBy(() => read())).toMatchObject({ status: expect.any(Number) as number });
  await clock.advance(pauseMs - 500);
  const waiting = read();
  await clock.advance(499);
  expect(provider.requests).toHaveLength(1);
  await clock.advance(1);
  expect(await waiting).toMatchObject({ uid: 'agr-1' });
});

test('during a long pause calls are refused at once without sending', async () => {
  provider.answers(raw(429, '', { 'retry-after': '86400' }), good);
  const { read } = aClient();
  expect(await thrownBy(() => read())).toMatchObject({ code: 'rate_limited', status: 429 });
  expect(await thrownBy(() => read())).toMatchObject({
    code: 'rate_limited',
    status: undefined,
    retryAfterMs: 3_600_000,
  });
  expect(provider.requests).toHaveLength(1);
});

test.each([
  ['a 503 without Retry-After', raw(503, '')],
  ['a 500 with Retry-After', raw(500, '', { 'retry-after': '7' })],
  ['a lost connection', (response: { destroy: () => unknown }) => void response.destroy()],
])('%s causes no pause', async (_what, refusal) => {
  provider.answers(refusal, good);
  const { read } = aClient();
  await thrownBy(() => read());
  expect(await read()).toMatchObject({ uid: 'agr-1' });
});

test('an invalid call does not use the rate limit', async () => {
  provider.answers(good);
  const { read } = aClient({ perSecond: 0.01, burst: 1 });
  await thrownBy(() => read({ ...HERS, accessToken: 'two words' }));
  expect(await read()).toMatchObject({ uid: 'agr-1' });
});

test('a call without a connection is not limited', async () => {
  provider.answers(good);
  const { read } = aClient({ perSecond: 0.01, burst: 1 });
  for (const time of [1, 2, 3]) {
    await read(CALL);
    expect(provider.requests).toHaveLength(time);
  }
});
