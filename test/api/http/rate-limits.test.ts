import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRateLimits, networkOf } from '../../../api/http/rate-limits.js';
import { KEYS, NOW, WEBHOOK_SECRET, anApi, get, type Api } from '../../support/api/app.js';
import { aWebhook, problemIn, signed } from '../../support/api/builders.js';

const aLimitedApi = (proxies = 0): Api =>
  anApi({ rates: createRateLimits({ perKey: 1, perAddress: 1, proxies }) });
const ALLOWED = 10;

const times = async (count: number, ask: () => Response | Promise<Response>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status);
  return statuses;
};
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

test('a key over its rate gets 429 with the time to wait, and others do not', async () => {
  const api = aLimitedApi();
  const first = await get(api, '/v1/stop', KEYS.read);
  expect(first.headers.get('ratelimit-policy')).toBe('10;w=10');
  expect(first.headers.get('ratelimit')).toMatch(/^limit=10, remaining=9, reset=\d+$/);
  await times(ALLOWED - 1, () => get(api, '/v1/stop', KEYS.read));
  const refused = await get(api, '/v1/stop', KEYS.read);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await problemIn(refused)).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect((await get(api, '/v1/stop', KEYS.other)).status).toBe(200);
});

test('an address over its rate gets 429 without a key and with unknown keys, and callers with a key do not', async () => {
  const api = aLimitedApi();
  const ask = (address: string, headers = {}) => api.app.request('/v1/stop', { headers }, from(address));
  const unknown = { authorization: 'Bearer unknown' };
  expect(await times(ALLOWED, () => ask('192.0.2.1', unknown))).toEqual(Array(ALLOWED).fill(401));
  expect((await ask('192.0.2.1', unknown)).status).toBe(429);
  expect((await ask('192.0.2.1')).status).toBe(429);
  expect((await api.app.request('/openapi.json', {}, from('192.0.2.1'))).status).toBe(429);
  expect((await ask('192.0.2.2')).status).toBe(401);
  expect((await ask('192.0.2.1', { authorization: `Bearer ${KEYS.read}` })).status).toBe(200);
});

test('health checks and metrics are never limited, because a refused check could restart the process', async () => {
  const { app, admin } = aLimitedApi();
  for (const check of [
    () => app.request('/healthz'),
    () => admin.request('/readyz'),
    () => admin.request('/metrics'),
  ])
    expect(new Set(await times(2 * ALLOWED, check))).toEqual(new Set([200]));
});

test('webhooks are never limited', async () => {
  const api = aLimitedApi();
  const body = JSON.stringify(aWebhook());
  const push = () =>
    api.app.request(
      '/webhooks',
      { method: 'POST', body, headers: signed(body, WEBHOOK_SECRET, NOW) },
      from('192.0.2.1'),
    );
  expect(new Set(await times(3 * ALLOWED, push))).toEqual(new Set([200]));
});

test.each([
  [0, '203.0.113.9'],
  [1, '198.51.100.7, 203.0.113.9'],
  [2, '198.51.100.7, 203.0.113.9, 192.0.2.1'],
])('behind %d proxies, a caller cannot choose its address', async (proxies, forwarded) => {
  const api = aLimitedApi(proxies);
  const ask = (spoofed: string) =>
    api.app.request('/docs', { headers: { 'x-forwarded-for': spoofed + forwarded } }, from('192.0.2.1'));
  await times(ALLOWED, () => ask(''));
  expect((await ask('1.2.3.4, ')).status).toBe(429);
});

test('behind the documented nginx, each stranger has its own rate and cannot choose another address', async () => {
  const text = readFileSync(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');
  const [, value = ''] = /proxy_set_header X-Forwarded-For (\S+);/.exec(text) ?? [];
  expect(text).toContain('TRUSTED_PROXIES=1');
  const sentBy = (client: string, given: string) =>
    value.replace('$proxy_add_x_forwarded_for', given === '' ? client : `${given}, ${client}`);
  const api = aLimitedApi(1);
  const ask = (client: string, given = '') =>
    api.app.request('/docs', { headers: { 'x-forwarded-for': sentBy(client, given) } }, from('127.0.0.1'));
  await times(ALLOWED, () => ask('203.0.113.66'));
  for (const given of ['', '198.51.100.7', '1.2.3.4, 198.51.100.7'])
    expect((await ask('203.0.113.66', given)).status).toBe(429);
  expect((await ask('198.51.100.7')).status).toBe(200);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
