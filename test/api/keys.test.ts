// Who may call, and with what.
import { describe, expect, test } from 'vitest';
import { KEYS, anApi, get, post, toldOf } from './an-api.js';
import { anAgreement, problemIn } from './builders.js';

const ROUTES: [string, string][] = [
  ['POST', '/v1/connections'],
  ['GET', '/v1/connections/acme'],
  ['POST', '/v1/connections/acme/reauthorisation'],
  ['POST', '/v1/agreements'],
  ['GET', '/v1/agreements'],
  ['GET', '/v1/agreements/agr-1'],
  ['GET', '/v1/agreements/agr-1/timeline'],
  ['POST', '/v1/agreements/agr-1/payments'],
  ['GET', '/v1/agreements/agr-1/payments'],
  ['GET', '/v1/payments/pay-1'],
];

describe('keys', () => {
  test.each(ROUTES)('401 without a key for %s %s', async (method, path) => {
    const api = anApi();
    const response = await api.app.request(path, { method });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await problemIn(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(toldOf(api.door)).toBe(0);
  });

  test.each([
    'Bearer wrong',
    'Bearer',
    'Bearer  ',
    'Basic a2V5LWFsbA==',
    KEYS.all,
    `Bearer ${KEYS.all} more`,
  ])('401 for Authorization: %s', async (authorization) => {
    const response = await anApi().app.request('/v1/agreements', { headers: { authorization } });
    expect(await problemIn(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test.each(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])('%s needs none', async (path) => {
    expect((await anApi().app.request(path)).status).toBe(200);
  });
});

describe('scopes', () => {
  test.each(ROUTES)('403 without the scope for %s %s', async (method, path) => {
    const [needed, others] =
      method === 'GET' ? ['read', [KEYS.write, KEYS.operate]] : ['write', [KEYS.read, KEYS.operate]];
    for (const key of others) {
      const api = anApi();
      const response = await api.app.request(path, { method, headers: { authorization: `Bearer ${key}` } });
      const problem = await problemIn(response);
      expect(problem).toMatchObject({ status: 403, code: 'insufficient_scope' });
      expect(problem.detail).toContain(needed);
      expect(toldOf(api.door)).toBe(0);
    }
  });

  test('one scope is enough for its methods', async () => {
    const api = anApi();
    expect((await get(api, '/v1/agreements/agr-1', KEYS.read)).status).toBe(200);
    const written = await post(api, '/v1/agreements', anAgreement(), {
      authorization: `Bearer ${KEYS.write}`,
    });
    expect(written.status).toBe(202);
  });
});

describe('request ids', () => {
  test('a sane one of the caller is kept', async () => {
    const response = await anApi().app.request('/healthz', { headers: { 'x-request-id': 'order-77' } });
    expect(response.headers.get('x-request-id')).toBe('order-77');
  });

  test.each(['a b', '<script>', 'x'.repeat(256)])('another takes the place of %s', async (id) => {
    const response = await anApi().app.request('/healthz', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
