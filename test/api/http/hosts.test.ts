import { expect, test, describe } from 'vitest';
import { createAdminApp, createApp } from '../../../api/app.js';
import { anApi } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';
import { requestedByCaller } from '../../../api/http/caller.js';

const { dependencies } = anApi();
const admin = createAdminApp({ ...dependencies, hosts: ['api', 'payto.internal'] });
const ask = (host: string, path = '/metrics') =>
  admin.request(`http://127.0.0.1:8081${path}`, { headers: { host } });

test.each(['localhost:8081', '127.0.0.1:8081', '10.0.0.7', '[::1]:8081', 'api:8081', 'Payto.Internal.'])(
  'the admin port answers requests to %s',
  async (host) => expect((await ask(host)).status).toBe(200),
);

test.each(['evil.example:8081', 'localhost.evil.example', '127.0.0.1.evil.example', 'apis', 'a b', ''])(
  'the admin port refuses requests to %j, as of a foreign page by DNS rebinding',
  async (host) => {
    for (const path of ['/metrics', '/readyz', '/codec/login', '/none'])
      expect(await problemIn(await ask(host, path))).toMatchObject({ status: 403, code: 'host_not_allowed' });
  },
);

test.each([
  [0, 'x-forwarded-for', 1],
  [0, 'forwarded', 1],
  [0, 'x-real-ip', 1],
  [0, 'accept', 0],
  [1, 'x-forwarded-for', 0],
])('with TRUSTED_PROXIES=%d, requests with %s warn %d times', async (proxies, header, count) => {
  const { dependencies, lines } = anApi();
  const app = createApp({ ...dependencies, proxies });
  for (let i = 0; i < 3; i += 1) await app.request('/healthz', { headers: { [header]: '203.0.113.66' } });
  const warnings = lines.filter((line) => line.includes('forwarded header ignored'));
  expect(warnings).toHaveLength(count);
  expect(lines.join()).not.toContain('203.0.113.66');
});

const ANY = { principal: 'shop', connections: undefined };
const BOUND = { principal: 'shop', connections: ['acme'] };
const OWN = { state: 'active', requestedBy: 'shop', connectionId: 'acme' };

describe('an existing resource', () => {
  test.each([
    ['was requested by the caller', OWN, BOUND],
    ['was adopted from the provider', { ...OWN, requestedBy: undefined }, BOUND],
    ['is on any connection, and the key is not bound', { ...OWN, connectionId: 'other' }, ANY],
    ['has been named only by events', { state: 'unknown', connectionId: 'other' }, BOUND],
  ])('is shown if it %s', (_, found, caller) => {
    expect(requestedByCaller(found, caller)).toBe(found);
  });

  test.each([
    ['another caller requested it', { ...OWN, requestedBy: 'app' }, ANY],
    ['the key may not use its connection', { ...OWN, connectionId: 'other' }, BOUND],
    ['the key may not use it, and it was adopted', { state: 'active', connectionId: 'other' }, BOUND],
    ['it has no connection and the key is bound', { ...OWN, connectionId: undefined }, BOUND],
  ])('is refused in the same words if %s', (_, found, caller) => {
    expect(() => requestedByCaller(found, caller, '/id')).toThrow(
      expect.objectContaining({
        code: 'idempotency_conflict',
        message: 'Another caller has already used this id. Choose another one.',
        errors: [{ pointer: '/id', detail: 'expected a value that no other caller has used' }],
      }),
    );
  });
});
