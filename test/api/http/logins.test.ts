import { createHash } from 'node:crypto';
import { expect, test, vi, describe } from 'vitest';
import { NOW, anApi, get } from '../../support/api/app.js';
import { keepKeysConfirmed } from '../../../api/http/key-confirmation.js';
import { parseApiKeys } from '../../../api/http/api-key-entries.js';

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

test('keys are confirmed in rounds, also after an outage, which is logged once', async () => {
  const { dependencies, door, keysNow, lines } = anApi();
  const stopping = new AbortController();
  const { confirmKeys } = door.webhookEndpoints;
  const away = new Error('the records are away');
  confirmKeys.mockRejectedValueOnce(away).mockRejectedValueOnce(away);
  const pause = vi.fn(() => {
    keysNow.splice(1);
    if (confirmKeys.mock.calls.length === 4) stopping.abort();
    return Promise.resolve();
  });
  await keepKeysConfirmed({ ...dependencies, clock: { now: () => 0, pause } }, stopping.signal);
  expect(confirmKeys.mock.calls.map(([, which]) => which)).toEqual(['all', 'all', 'all', 'undelivered']);
  expect(confirmKeys.mock.lastCall?.[0]).toEqual([
    {
      ...{ id: 'id-all', principal: 'key-all', connections: undefined },
      scopes: ['read', 'write', 'operate', 'stop', 'decode'],
    },
  ]);
  expect(lines.filter((line) => line.includes('not confirmed'))).toHaveLength(1);
});

const SHA = createHash('sha256').update('a key').digest('hex');
const entry = (limits = '') => `a:b:read:${SHA}${limits}`;

describe('an entry of an API key', () => {
  test('may name connections and an end', () => {
    expect(parseApiKeys([entry(';connections=acme+other.x;until=2027-01-31')])).toMatchObject([
      {
        id: 'a',
        principal: 'b',
        scopes: ['read'],
        connections: ['acme', 'other.x'],
        until: Date.UTC(2027, 0, 31),
      },
    ]);
    expect(parseApiKeys([entry(';until=2027-01-31T10:00Z')])[0]?.until).toBe(Date.UTC(2027, 0, 31, 10));
    expect(parseApiKeys([entry()])[0]).not.toHaveProperty('connections');
  });

  test.each([';connections=a;connections=b', ';until=2027-01-31;connections=a;until=2028-01-31'])(
    'is refused with a limit that it names twice: %s',
    (limits) => {
      expect(() => parseApiKeys([entry(limits)])).toThrow(/expected each limit once .* of the key a/);
    },
  );

  test.each([
    ';',
    ';connections=',
    ';connections=a++b',
    ';until=',
    ';until=2027-13-01',
    ';until=tomorrow',
    ';x=y',
  ])('is refused with %j, which is not quoted', (limits) => {
    expect(() => parseApiKeys([entry(limits)])).toThrow(/expected ;connections=.* of the key a/);
    expect(() => parseApiKeys([entry(limits)])).not.toThrow(SHA);
  });
});
