import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CALL, paymentsApi } from '../../support/payments-api/examples.js';
import { createPaymentsApi } from '../../../payments-api/client.js';
import { json, raw, startLoopback, thrownBy } from '../../support/payments-api/loopback.js';
import type { Answer, Loopback } from '../../support/payments-api/loopback.js';

let provider: Loopback;
beforeAll(async () => {
  provider = await startLoopback();
});
afterAll(() => provider.close());
afterEach(() => void vi.useRealTimers());

const read = (signal?: AbortSignal) =>
  paymentsApi(provider.url).getAgreement('agr-2f9c', signal ? { ...CALL, signal } : CALL);

const failureWhen = (answer: Answer, signal?: AbortSignal): Promise<unknown> => {
  provider.answers(answer);
  return thrownBy(() => read(signal));
};

test('sends the token, the version, what it accepts and who it is with every call', async () => {
  provider.answers(json(200, { data: { uid: 'agr-2f9c', state: 'active' } }));
  await read();
  expect(provider.asked[0]).toMatchObject({
    method: 'GET',
    path: '/payto/agreements/agr-2f9c',
    headers: {
      authorization: 'Bearer access-token-1',
      'service-api-version': '20260901',
      accept: 'application/json',
      'user-agent': 'payto-agreements',
    },
  });
});

test('sends the version under the configured header name', async () => {
  provider.answers(json(200, { data: { uid: 'a', state: 'active' } }));
  const api = createPaymentsApi({ baseUrl: provider.url, version: '20250101', versionHeader: 'X-Version' });
  await api.getAgreement('a', CALL);
  expect(provider.asked[0]?.headers['x-version']).toBe('20250101');
});

test('keeps the path of a base URL that has one, with or without a slash at its end', async () => {
  provider.answers(json(200, { data: { uid: 'a', state: 'active' } }));
  await paymentsApi(`${provider.url}/v9/`).getAgreement('a', CALL);
  expect(provider.asked[0]?.path).toBe('/v9/payto/agreements/a');
});

test('awaits what is to be done before a request that changes anything, and before no reading', async () => {
  const beforeWrite = () => Promise.reject(new Error('not yet'));
  provider.answers(json(200, { data: { uid: 'agr-2f9c', state: 'active' } }));
  await paymentsApi(provider.url).getAgreement('agr-2f9c', { ...CALL, beforeWrite });
  const written = paymentsApi(provider.url).reactivateAgreement('agr-2f9c', { ...CALL, beforeWrite });
  await expect(written).rejects.toThrow('not yet');
  expect(provider.asked.map(({ method }) => method)).toEqual(['GET']);
});

test('is unavailable when no server listens, and says how the connection failed', async () => {
  const gone = await startLoopback();
  await gone.close();
  const error = await thrownBy(() => paymentsApi(gone.url).getAgreement('a', CALL));
  expect(error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED') as string,
  });
});

test('keeps its connection for call after call', async () => {
  provider.answers(json(200, { data: { uid: 'agr-2f9c', state: 'active' } }));
  const api = paymentsApi(provider.url);
  const before = provider.connections();
  for (let call = 0; call < 50; call += 1) await api.getAgreement('agr-2f9c', CALL);
  expect(provider.asked).toHaveLength(50);
  expect(provider.connections() - before).toBe(1);
});

test('takes as many connections as calls are under way, and keeps them', async () => {
  provider.answers(json(200, { data: { uid: 'agr-2f9c', state: 'active' } }));
  const api = paymentsApi(provider.url);
  const before = provider.connections();
  for (let round = 0; round < 5; round += 1)
    await Promise.all(Array.from({ length: 8 }, () => api.getAgreement('agr-2f9c', CALL)));
  expect(provider.connections() - before).toBe(8);
});

test('is unavailable when the caller aborts while the body trickles', async () => {
  const caller = new AbortController();
  const error = await failureWhen((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ', () => caller.abort(new Error('enough')));
  }, caller.signal);
  expect(error).toMatchObject({
    code: 'unavailable',
    cause: expect.objectContaining({ message: 'enough' }) as Error,
  });
});

test('is unavailable without asking when the caller has aborted already', async () => {
  const error = await failureWhen(json(200, {}), AbortSignal.abort());
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(provider.asked).toHaveLength(0);
});

test('is unavailable after 20 s, the body included', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const error = await failureWhen((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ', () => vi.advanceTimersByTime(20_000));
  });
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('20 s') as string });
});

test.each([
  ['JSON of another content type', raw(200, '{"data":{}}', { 'content-type': 'text/html' })],
  ['JSON of no content type', raw(200, '{"data":{}}')],
  ['no JSON', raw(200, '<html>', { 'content-type': 'application/json' })],
  ['half a JSON', raw(200, '{"data":{"uid":"agr-2f9c"', { 'content-type': 'application/json' })],
  ['an empty body', raw(200, '', { 'content-type': 'application/json' })],
  ['no content', raw(204, '')],
  ['a null', json(200, null)],
  ['a list', json(200, [])],
  ['no data', json(200, { uid: 'agr-2f9c' })],
  ['data without a trace of the resource', json(200, { data: {} })],
  ['another resource', json(200, { data: { uid: 'agr-other', state: 'active' } })],
])('is malformed when a good status brings %s', async (_what, answer) => {
  expect(await failureWhen(answer)).toMatchObject({ code: 'malformed' });
});

test('takes a structured JSON type for JSON', async () => {
  const headers = { 'content-type': 'application/vnd.api+json' };
  provider.answers(raw(200, '{"data":{"uid":"agr-2f9c","state":"active"}}', headers));
  expect(await read()).toMatchObject({ state: 'active' });
});

test('survives a nesting bomb in a field that is not read', async () => {
  const bomb = '['.repeat(100_000) + ']'.repeat(100_000);
  const body = `{"data":{"uid":"agr-2f9c","state":"active","extra":${bomb},"metadata":{"deep":${bomb}}}}`;
  provider.answers(raw(200, body, { 'content-type': 'application/json' }));
  const { mandate } = await read();
  expect(JSON.stringify(mandate.metadata)).toContain('nested too deeply');
});

test('does not take a prototype from an answer', async () => {
  const body =
    '{"data":{"uid":"agr-2f9c","__proto__":{"state":"active"},"metadata":{"__proto__":{"polluted":1}}}}';
  provider.answers(raw(200, body, { 'content-type': 'application/json' }));
  const snapshot = await read();
  expect(snapshot.state).toBe('unknown');
  expect(Reflect.get(snapshot.mandate.metadata ?? {}, 'polluted')).toBeUndefined();
});

test.each(['', 'two words', 'line\nbreak', 'é'])(
  'never puts the token %j into a header or a message',
  async (accessToken) => {
    provider.answers(json(200, {}));
    const error = await thrownBy(() => paymentsApi(provider.url).getAgreement('agr-2f9c', { accessToken }));
    expect(error).toMatchObject({
      code: 'unauthorised',
      message: expect.not.stringContaining('break') as string,
    });
    expect(provider.asked).toHaveLength(0);
  },
);

test('never quotes the token, nor the body', async () => {
  const answer = raw(500, 'Mary Poppins 200001-12340001', { 'content-type': 'text/plain' });
  const error = await failureWhen(answer);
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/access-token|Mary|200001/);
});
