// Who may call, and with what: of every route there is, from its own contract.
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../api/app.js';
import { SCOPES } from '../../api/keys.js';
import { KEYS, anApi, get, post, sentOf } from '../support/api/app.js';
import { anAgreement, problemIn } from '../support/api/builders.js';

const EXAMPLES: Readonly<Record<string, string>> = { code: 'overdue' };
const ROUTES = ENDPOINTS.flatMap(({ access, scope, routes }) =>
  routes.map(({ method, path }) => ({
    access,
    scope,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? 'acme'),
    name: `${method.toUpperCase()} ${path}`,
  })),
);
const GUARDED = ROUTES.flatMap(({ scope, ...route }) => (scope === undefined ? [] : [{ ...route, scope }]));

describe('routes', () => {
  test('each under /v1 asks for a scope, and none is registered but by a contract', () => {
    expect(ROUTES.filter(({ path, scope }) => path.startsWith('/v1/') && scope === undefined)).toEqual([]);
    const served = anApi().app.routes.flatMap(({ method, path }) =>
      method === 'ALL' || /^\/(docs|openapi)/.test(path)
        ? []
        : [`${method} ${path.replaceAll(/:(\w+)(\{.*?\}(?=\/|$))?/g, '{$1}')}`],
    );
    expect([...new Set(served)].sort()).toEqual(ROUTES.map(({ name }) => name).sort());
  });

  test('what only operators may do', () => {
    expect(ROUTES.flatMap(({ access, name }) => (access === 'operate' ? [name] : []))).toEqual([
      'POST /v1/connections/{id}/revocation',
      'POST /v1/agreements/{uid}/attention/{code}/resolution',
      'POST /codec/decode',
    ]);
  });

  test('reading asks for read, writing for more', () => {
    const misplaced = GUARDED.filter(({ method, scope }) => (method === 'GET') !== (scope === 'read'));
    expect(misplaced).toEqual([]);
  });
});

describe('keys', () => {
  test.each(GUARDED)('401 without a key for $name', async ({ method, path }) => {
    const api = anApi();
    const response = await api.app.request(path, { method });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await problemIn(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(sentOf(api.door)).toBe(0);
  });

  test.each(GUARDED)('403 with every scope but the one of $name', async ({ method, path, scope }) => {
    for (const other of SCOPES.filter((one) => one !== scope)) {
      const api = anApi();
      const headers = { authorization: `Bearer ${KEYS[other]}` };
      const response = await api.app.request(path, { method, headers });
      const problem = await problemIn(response);
      expect(problem).toMatchObject({ status: 403, code: 'insufficient_scope' });
      expect(problem.detail).toContain(scope);
      expect(response.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
      expect(sentOf(api.door)).toBe(0);
    }
  });

  test.each(GUARDED)('its one scope is enough for $name', async ({ method, path, scope }) => {
    const headers = { authorization: `Bearer ${KEYS[scope]}` };
    const { status } = await anApi().app.request(path, { method, headers });
    expect([401, 403]).not.toContain(status);
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

  test('a path under /v1 that no route has shows nothing without a key', async () => {
    const response = await anApi().app.request('/v1/nothing');
    expect(await problemIn(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test.each(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])('%s needs none', async (path) => {
    expect((await anApi().app.request(path)).status).toBe(200);
  });

  test('one scope is enough for a whole request', async () => {
    const api = anApi();
    expect((await get(api, '/v1/agreements/agr-1', KEYS.read)).status).toBe(200);
    const headers = { authorization: `Bearer ${KEYS.write}` };
    expect((await post(api, '/v1/agreements', anAgreement(), headers)).status).toBe(202);
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
