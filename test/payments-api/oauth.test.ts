import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import fc from 'fast-check';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { createOAuth } from '../../payments-api/oauth.js';
import {
  json,
  raw,
  startLoopback,
  thrownBy,
  type Answer,
  type Loopback,
} from '../support/payments-api/loopback.js';

let server: Loopback;
beforeAll(async () => {
  server = await startLoopback();
});
afterAll(() => server.close());

const TOKENS = {
  access_token: 'access-2',
  token_type: 'bearer',
  expires_in: 7200,
  refresh_token: 'refresh-2',
  scope: 'pay_to_agreements pay_to_payments',
};
const REDIRECT_URI = 'https://us.example/oauth/callback';
const oauth = () =>
  createOAuth({ authUrl: server.url, clientId: 'app', clientSecret: 's3cret&=', redirectUri: REDIRECT_URI });
const refresh = () => oauth().refresh({ refreshToken: 'refresh-1' });
const refusalBy = (answer: Answer): Promise<unknown> => {
  server.answers(answer);
  return thrownBy(refresh);
};
const form = (): object => Object.fromEntries(new URLSearchParams(server.requests[0]?.body));

test('a code exchange sends the documented form', async () => {
  server.answers(json(200, TOKENS));
  const answer = await oauth().exchangeCode({ code: 'one-time' });
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/oauth/token' });
  expect(server.requests[0]?.headers['content-type']).toContain('application/x-www-form-urlencoded');
  expect(form()).toEqual({
    grant_type: 'authorization_code',
    client_id: 'app',
    client_secret: 's3cret&=',
    code: 'one-time',
    redirect_uri: REDIRECT_URI,
  });
  expect(answer).toEqual({
    accessToken: 'access-2',
    refreshToken: 'refresh-2',
    expiresInSeconds: 7200,
    scope: 'pay_to_agreements pay_to_payments',
  });
});

test('a refresh sends the documented form', async () => {
  server.answers(json(200, TOKENS));
  expect(await refresh()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' });
  expect(form()).toEqual({
    grant_type: 'refresh_token',
    client_id: 'app',
    client_secret: 's3cret&=',
    refresh_token: 'refresh-1',
  });
});

test.each([
  ['with a capitalised type', { token_type: 'Bearer' }],
  ['with unknown fields', { id_token: 'not.a.jwt', created_at: 1 }],
  ['without a scope', { scope: undefined }],
  ['with a null scope', { scope: null }],
  ['with a list as scope', { scope: ['pay_to_agreements'] }],
  ['with a number as scope', { scope: 7 }],
  ['without a type', { token_type: undefined }],
  ['with a number as type', { token_type: 7 }],
  ['with an empty type', { token_type: '' }],
  ['with another name of the type', { token_type: 'BearerToken' }],
  ['with an unsupported type', { token_type: 'mac' }],
])('a refreshed token pair %s is accepted', async (_how, overrides) => {
  server.answers(json(200, { ...TOKENS, ...overrides }));
  expect(await refresh()).toMatchObject({ refreshToken: 'refresh-2' });
});

test.each([
  [undefined, 7200],
  [null, 7200],
  ['3600', 3600],
  ['59.9', 59],
  [59.9, 59],
  [0, 0],
  [31_536_000, 31_536_000],
  [31_536_001, 7200],
  [1e300, 7200],
  [-1, 7200],
  ['-1', 7200],
  ['1e300', 7200],
  ['abc', 7200],
  ['3600 seconds', 7200],
  ['', 7200],
  [true, 7200],
  [[], 7200],
  [{}, 7200],
])('a token lifetime of %j counts as %j seconds', async (expires_in, expiresInSeconds) => {
  server.answers(json(200, { ...TOKENS, expires_in }));
  expect(await refresh()).toMatchObject({
    accessToken: 'access-2',
    refreshToken: 'refresh-2',
    expiresInSeconds,
  });
});

test.each([{}, { 'content-type': 'text/html' }])(
  'a refreshed token pair with the headers %j is accepted',
  async (headers) => {
    server.answers(raw(200, JSON.stringify(TOKENS), headers));
    expect(await refresh()).toMatchObject({ refreshToken: 'refresh-2' });
  },
);

test('a token lifetime out of range gets the default', async () => {
  const text = JSON.stringify(TOKENS).replace('7200', '1e999');
  server.answers(raw(200, text, { 'content-type': 'application/json' }));
  expect(await refresh()).toMatchObject({ refreshToken: 'refresh-2', expiresInSeconds: 7200 });
});

test('property: every refreshed token pair is accepted with a valid lifetime', async () => {
  const oddities = fc.dictionary(
    fc.constantFrom('expires_in', 'scope', 'id_token', 'created_at'),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(oddities, async (odd) => {
      server.answers(json(200, { ...TOKENS, ...odd }));
      const { refreshToken, expiresInSeconds } = await refresh();
      expect(refreshToken).toBe('refresh-2');
      expect(new Date(Date.now() + expiresInSeconds * 1000).toISOString()).toMatch(/^20/);
    }),
    { numRuns: 100 },
  );
});

test.each(['', null, 7, {}])('a refresh token of %j is malformed', async (refresh_token) => {
  expect(await refusalBy(json(200, { ...TOKENS, refresh_token }))).toMatchObject({ code: 'malformed' });
});

test('an answer without a refresh token keeps the previous one, and a code needs one', async () => {
  server.answers(json(200, { ...TOKENS, refresh_token: undefined }));
  expect(await refresh()).toMatchObject({ accessToken: 'access-2', refreshToken: undefined });
  expect(await thrownBy(() => oauth().exchangeCode({ code: 'one-time' }))).toMatchObject({
    code: 'malformed',
  });
});

test.each([
  [400, 'invalid_grant', 'grant_refused'],
  [401, 'invalid_grant', 'grant_refused'],
  [401, 'invalid_client', 'client_refused'],
  [400, 'unauthorized_client', 'client_refused'],
  [400, 'invalid_scope', 'rejected'],
  [400, 'unsupported_grant_type', 'rejected'],
  [400, 'temporarily_unavailable', 'unavailable'],
] as const)('a %i %s is reported as %s', async (status, error, code) => {
  const refusal = await refusalBy(json(status, { error, error_description: 'words about Mary' }));
  expect(refusal).toMatchObject({ code, status, providerCodes: [error] });
});

test('the error code is read despite a WWW-Authenticate header', async () => {
  const headers = { 'www-authenticate': 'Bearer realm="auth", error="invalid_client"' };
  expect(await refusalBy(json(401, { error: 'invalid_client' }, headers))).toMatchObject({
    code: 'client_refused',
  });
});

test.each([
  ['a 500', raw(500, ''), 'unavailable'],
  ['a 503', raw(503, '', { 'retry-after': '5' }), 'unavailable'],
  ['a 429', raw(429, '', { 'retry-after': '5' }), 'rate_limited'],
  ['a redirect', raw(302, '', { location: 'http://127.0.0.1:1/' }), 'malformed'],
  ['HTML', raw(200, '<html>', { 'content-type': 'text/html' }), 'malformed'],
  ['a refusal without a body', raw(400, ''), 'malformed'],
  ['a refusal in another shape', json(404, { errors: 'no such page' }), 'malformed'],
  ['a list', json(200, []), 'malformed'],
  ['a missing access token', json(200, { ...TOKENS, access_token: undefined }), 'malformed'],
  ['a closed connection', ((response) => void response.destroy()) satisfies Answer, 'unavailable'],
] as const)('%s from the token endpoint gets the right error code', async (_what, answer, code) => {
  expect(await refusalBy(answer)).toMatchObject({ code });
  expect(server.requests).toHaveLength(1);
});

test.each([429, 503])('a %i error has its Retry-After', async (status) => {
  expect(await refusalBy(raw(status, '', { 'retry-after': '5' }))).toMatchObject({ retryAfterMs: 5000 });
});

test.each([
  ['a malformed success', json(200, { ...TOKENS, access_token: undefined })],
  ['a refusal', json(400, { error: 'invalid_grant', error_description: 'refresh-1 of Mary' })],
  ['a server error', raw(500, 'refresh-1 s3cret&=')],
])('the error for %s contains no token or secret', async (_what, answer) => {
  const error = await refusalBy(answer);
  const cause = error instanceof Error ? error.cause : undefined;
  const text = `${String(error)} ${JSON.stringify({ ...(Object(error) as object) })} ${String(cause)}`;
  expect(text).not.toMatch(/access-|refresh-\d|s3cret|Mary/);
});

test.each([
  ['its error', (sent: string) => json(400, { error: sent })],
  ['its title', (sent: string) => json(503, { errors: [{ title: sent }] })],
  ['its request id', (sent: string) => raw(503, '', { 'x-request-id': sent })],
] as const)('secrets that the server repeats in %s are removed', async (_where, repeating) => {
  for (const sent of ['s3cret&=', 'refresh-1']) {
    const error = await refusalBy(repeating(sent));
    expect(error).toBeInstanceOf(PaymentsApiError);
    const { providerCodes, requestId } = Object(error) as PaymentsApiError;
    expect(`${String(error)} ${JSON.stringify([providerCodes, requestId])}`).not.toContain(sent);
  }
});

const after =
  (ms: number): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ', () => {
      vi.advanceTimersByTime(ms);
      response.end(JSON.stringify(TOKENS));
    });
  };

test('a refresh has a longer timeout than a code exchange', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const exchangeCode = () => oauth().exchangeCode({ code: 'one-time' });
  server.answers(after(49_999));
  expect(await refresh()).toMatchObject({ refreshToken: 'refresh-2' });
  expect(await refusalBy(after(50_000))).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('50 s') as string,
  });
  server.answers(after(19_999));
  expect(await exchangeCode()).toMatchObject({ refreshToken: 'refresh-2' });
  server.answers(after(20_000));
  expect(await thrownBy(exchangeCode)).toMatchObject({ code: 'unavailable' });
});

test('property: token calls throw only PaymentsApiError', async () => {
  const members = fc.dictionary(fc.constantFrom(...Object.keys(TOKENS), 'error'), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(200, 400, 401, 500), members, async (status, body) => {
      server.answers(json(status, body));
      const outcome: unknown = await refresh().catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PaymentsApiError);
    }),
    { numRuns: 50 },
  );
});
