import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { PUBLIC_ENDPOINTS } from '../../../api/app.js';
import { secretOf } from '../../../sealing/secret.js';
import { anApi, get, post, sentOf } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';

const BOUND = 'key-bound';
const headers = { authorization: `Bearer ${BOUND}` };
function aBoundApi(connections = ['acme']) {
  const api = anApi();
  api.keysNow.push({
    id: 'bound',
    principal: 'bound',
    scopes: ['read', 'write', 'operate', 'stop', 'decode'],
    sha256: secretOf(createHash('sha256').update(BOUND).digest()),
    connections,
  });
  return api;
}

const GUARDED = PUBLIC_ENDPOINTS.flatMap(({ scope, routes }) =>
  scope === undefined ? [] : routes.map((route) => ({ ...route, method: route.method.toUpperCase() })),
);
const bodyFor = (connection: string) => JSON.stringify({ connection, id: connection });

const REFUSING = aBoundApi();

test.each(GUARDED)('$method $path finds nothing of another connection', async ({ method, path }) => {
  const api = REFUSING;
  api.door.connectionOf.mockResolvedValue('other');
  const where = path.replaceAll(/\{(day|code|\w+)\}/g, (_, name) =>
    name === 'day' ? '2026-10-01' : name === 'code' ? 'forbidden' : 'other',
  );
  const json = { 'content-type': 'application/json' };
  const response = await api.app.request(`${where}?connection=other`, {
    method,
    headers: { ...headers, 'x-namespace': 'default', ...(method === 'GET' ? {} : json) },
    ...(method === 'GET' ? {} : { body: bodyFor('other') }),
  });
  expect((await problemIn(response)).code).toBe('not_found');
  expect(sentOf(api.door)).toBe(0);
});

test('a bound key reads its own resources, and names its connection in lists and new resources', async () => {
  const api = aBoundApi(['acme', 'second']);
  expect((await get(api, '/v1/agreements/agr-1', BOUND)).status).toBe(200);
  expect(api.door.connectionOf.mock.lastCall).toEqual(['agreement', 'agr-1']);
  expect((await get(api, '/v1/connections/second', BOUND)).status).toBe(200);
  expect((await get(api, '/v1/agreements?connection=acme', BOUND)).status).toBe(200);
  const code = 'connection_required';
  expect(await problemIn(await get(api, '/v1/agreements', BOUND))).toMatchObject({ status: 422, code });
  expect(await problemIn(await post(api, '/v1/connections', {}, headers))).toMatchObject({ code });
  expect((await post(api, '/v1/connections', { id: 'acme' }, headers)).status).toBe(200);
  expect((await get(api, '/v1/audit', BOUND)).status).toBe(404);
});

test('a resource without a connection is not found by a bound key', async () => {
  const api = aBoundApi();
  api.door.connectionOf.mockResolvedValue(undefined);
  expect((await get(api, '/v1/payments/pay-1', BOUND)).status).toBe(404);
});
