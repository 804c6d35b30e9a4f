import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NOW, anApi, get } from '../../support/api/app.js';

const failures = async ({ metrics }: ReturnType<typeof anApi>, where: string) =>
  (await metrics.text()).match(new RegExp(`payto_api_logins_failed_total\\{where="${where}"\\} (\\d+)`))?.[1];

test('wrong keys wait longer and longer and are counted, and valid keys never wait', async () => {
  const api = anApi();
  const waited = [];
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const before = api.time.now;
    expect((await get(api, '/v1/agreements', 'a-guess')).status).toBe(401);
    waited.push(api.time.now - before);
  }
  expect(waited.slice(0, 3)).toEqual([100, 200, 300]);
  expect(Math.max(...waited)).toBeLessThanOrEqual(5000);
  expect(await failures(api, 'api')).toBe('60');
  const before = api.time.now;
  expect((await get(api, '/v1/agreements')).status).toBe(200);
  expect(api.time.now).toBe(before);
});

test('a wrong key at the sign-in of the codec waits and is counted', async () => {
  const api = anApi();
  const body = new URLSearchParams({ key: 'a-guess' });
  const headers = { 'sec-fetch-site': 'same-origin' };
  expect((await api.admin.request('/codec/login', { method: 'POST', body, headers })).status).toBe(401);
  expect(api.time.now - NOW).toBe(100);
  expect(await failures(api, 'codec')).toBe('1');
});

test('a request without a key does not wait', async () => {
  const api = anApi();
  expect((await api.app.request('/v1/agreements')).status).toBe(401);
  expect(api.time.now).toBe(NOW);
});

test('a key with a wrong checksum is reported as mistyped', async () => {
  const random = `payto_${'0'.repeat(64)}`;
  const key = random + createHash('sha256').update(random).digest('hex').slice(0, 8);
  const detailOf = async (secret: string) => (await get(anApi(), '/v1/agreements', secret)).text();
  expect(await detailOf(`${key.slice(0, -1)}x`)).toContain('mistyped');
  expect(await detailOf(key.slice(0, -9))).toContain('mistyped');
  expect(await detailOf(key)).not.toContain('mistyped');
  expect(await detailOf('a-guess')).not.toContain('mistyped');
});
