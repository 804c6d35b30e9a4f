import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CALL, paymentsApi } from '../../support/payments-api/examples.js';
import { createPaymentsApi } from '../../../payments-api/client.js';
import {
  json,
  raw,
  startLoopback,
  thrownBy,
  type Answer,
  type Loopback,
} from '../../support/payments-api/loopback.js';

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

test('the version header name is configurable', async () => {
  provider.answers(json(200, { data: { uid: 'a', state: 'active' } }));
  const api = createPaymentsApi({ baseUrl: provider.url, version: '20250101', versionHeader: 'X-Version' });
  await api.getAgreement('a', CALL);
  expect(provider.requests[0]?.headers['x-version']).toBe('20250101');
});

test('the path of the base URL is kept with or without a trailing slash', async () => {
  provider.answers(json(200, { data: { uid: 'a', state: 'active' } }));
  await paymentsApi(`${provider.url}/v9/`).getAgreement('a', CALL);
  expect(provider.requests[0]?.path).toBe('/v9/payto/agreements/a');
});

test('beforeWrite is awaited before writes but not before reads', async () => {
  const beforeWrite = () => Promise.reject(new Error('not yet'));
  provider.answers(json(200, { data: { uid: 'agr-2f9c', state: 'active' } }));
  await paymentsApi(provider.url).getAgreement('agr-2f9c', { ...CALL, beforeWrite });
  const written = paymentsApi(provider.url).reactivateAgreement('agr-2f9c', { ...CALL, beforeWrite });
  await expect(written).rejects.toThrow('not yet');
  expect(provider.requests.map(({ method }) => method)).toEqual(['GET']);
});

test('an unreachable server is unavailable with the connection error', async () => {
  const gone = await startLoopback();
  await gone.close();
  const error = await thrownBy(() => paymentsApi(gone.url).getAgreement('a', CALL));
  expect(error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED') as string,
  });
});

test('consecutive calls reuse one connection', async () => {
  provider.answers(json(200, { data: { uid: 'agr-2f9c', state: 'active' } }));
  const api = paymentsApi(provider.url);
  const before = provider.connections();
  for (let call = 0; call < 50; call += 1) await api.getAgreement('agr-2f9c', CALL);
  expect(provider.requests).toHaveLength(50);
  expect(provider.connections() - before).toBe(1);
});

test('parallel calls use one connection each and reuse them', async () => {
  provider.answers(json(200, { data: { uid: 'agr-2f9c', state: 'active' } }));
  const api = paymentsApi(provider.url);
  const before = provider.connections();
  for (let round = 0; round < 5; round += 1)
    await Promise.all(Array.from({ length: 8 }, () => api.getAgreement('agr-2f9c', CALL)));
  expect(provider.connections() - before).toBe(8);
});

test('an abort while the body arrives is unavailable', async () => {
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

test('an aborted caller sends no request', async () => {
  const error = await failureWhen(json(200, {}), AbortSignal.abort());
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(provider.requests).toHaveLength(0);
});

test('a call is unavailable after 20 s, including the body', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const error = await failureWhen((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ', () => vi.advanceTimersByTime(20_000));
  });
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('20 s') as string });
});

test.each([
  ['JSON without a content type', raw(200, '{"data":{}}')],
  ['a 204', raw(204, '')],
  ['null', json(200, null)],
  ['a list', json(200, [])],
  ['a body without data', json(200, { uid: 'agr-2f9c' })],
  ['empty data', json(200, { data: {} })],
  ['a different resource', json(200, { data: { uid: 'agr-other', state: 'active' } })],
])('a success with %s is malformed', async (_what, answer) => {
  expect(await failureWhen(answer)).toMatchObject({ code: 'malformed' });
});

test('a structured JSON content type is accepted', async () => {
  const headers = { 'content-type': 'application/vnd.api+json' };
  provider.answers(raw(200, '{"data":{"uid":"agr-2f9c","state":"active"}}', headers));
  expect(await read()).toMatchObject({ state: 'active' });
});

test('deep nesting is ignored in an unknown field and cut in metadata', async () => {
  const bomb = '['.repeat(100_000) + ']'.repeat(100_000);
  const body = `{"data":{"uid":"agr-2f9c","state":"active","extra":${bomb},"metadata":{"deep":${bomb}}}}`;
  provider.answers(raw(200, body, { 'content-type': 'application/json' }));
  const { mandate } = await read();
  expect(JSON.stringify(mandate.metadata)).toContain('nested too deeply');
});

test.each(['', 'two words', 'line\nbreak', 'é'])(
  'the invalid token %j is neither sent nor printed',
  async (accessToken) => {
    provider.answers(json(200, {}));
    const error = await thrownBy(() => paymentsApi(provider.url).getAgreement('agr-2f9c', { accessToken }));
    expect(error).toMatchObject({
      code: 'unauthorised',
      message: expect.not.stringContaining('break') as string,
    });
    expect(provider.requests).toHaveLength(0);
  },
);
