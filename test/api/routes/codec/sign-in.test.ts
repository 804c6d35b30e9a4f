import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CODEC_SESSION_CONTEXT } from '../../../../sealing/contexts.js';
import { parseKeyring, seal } from '../../../../sealing/keyring.js';
import { KEYS, NOW, UI_ORIGINS, anApi, type Api } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

const HOUR_MS = 60 * 60 * 1000;
const OWN = { 'sec-fetch-site': 'same-origin' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const submit = async ({ admin }: Api, key: string, headers: Record<string, string> = OWN) =>
  admin.request('/codec/login', {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams({ key }).toString(),
  });

const cookieIn = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? '';
const login = async (api: Api): Promise<string> => cookieIn(await submit(api, KEYS.decode));

const decode = async ({ admin }: Api, cookie: string, headers: Record<string, string> = {}) =>
  admin.request('/codec/decode', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-namespace': 'default',
      origin: UI_ORIGINS[0],
      cookie,
      ...headers,
    },
    body: '{"payloads":[]}',
  });

const cookieOf = (ring: Api['keyring'], leave: Record<string, unknown>, context = CODEC_SESSION_CONTEXT) => {
  const sha256 = createHash('sha256').update(KEYS.decode).digest('hex');
  const whole = { key: 'id-decode', sha256, expiresAtMs: NOW + HOUR_MS, ...leave };
  return `payto_codec=${seal(ring, JSON.stringify(whole), context)}`;
};

describe('codec sign-in', () => {
  test('sets a cookie hidden from scripts, other sites and other paths', async () => {
    const response = await submit(anApi(), KEYS.decode);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/codec/login']);
    const attributes = response.headers.get('set-cookie')?.split('; ').slice(1).sort();
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=3600', 'Path=/codec', 'SameSite=Strict', 'Secure']);
  });

  test('sets a cookie without Secure if our address uses http', async () => {
    const api = anApi({ isSecure: false });
    expect((await submit(api, KEYS.decode)).headers.get('set-cookie')).not.toContain('Secure');
  });

  test('shows the expiry time and the id of the key', async () => {
    const api = anApi();
    const headers = { cookie: await login(api) };
    const page = await (await api.admin.request('/codec/login', { headers })).text();
    expect(page).toContain('2026-10-01 03:00 UTC');
    expect(page).toContain(`<b>id-decode</b>`);
    expect(page).not.toContain('name="key"');
  });

  test.each([
    ['an unknown key', 'PLANTED', 401],
    ['no key', '', 401],
    ['a key with the scope read', KEYS.read, 403],
    ['a key with the scope write', KEYS.write, 403],
  ])('with %s shows the form again with the reason', async (_what, key, status) => {
    const api = anApi();
    const response = await submit(api, key);
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBe(null);
    const page = await response.text();
    expect(page).toMatch(status === 401 ? /API key is unknown/ : /lacks the scope decode/);
    expect(page).toContain('name="key"');
    expect(page).not.toContain('PLANTED');
    expect(api.lines.join('')).not.toContain('PLANTED');
    expect(api.lines.join('')).toContain(status === 401 ? '"unauthenticated"' : '"insufficient_scope"');
  });

  test('ignores whitespace around a key', async () => {
    expect((await submit(anApi(), ` ${KEYS.decode}\n`)).status).toBe(303);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'multipart/form-data', ''])(
    'is refused for a body of type %j',
    async (type) => {
      const headers = { ...OWN, 'content-type': type };
      const body = `key=${KEYS.decode}`;
      const response = await anApi().admin.request('/codec/login', { method: 'POST', headers, body });
      expect(response.status).toBe(401);
    },
  );

  test('is refused for a key sent as a file', async () => {
    const form = new FormData();
    form.append('key', new Blob([KEYS.decode]));
    const response = await anApi().admin.request('/codec/login', {
      method: 'POST',
      headers: OWN,
      body: form,
    });
    expect(response.status).toBe(401);
  });

  test('is refused for a body over 4 KiB', async () => {
    expect(await problemIn(await submit(refusing, 'x'.repeat(5000)))).toMatchObject({ status: 413 });
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['another origin of the same site', { 'sec-fetch-site': 'same-site', origin: UI_ORIGINS[0] }],
    ['an older browser on another page', { origin: 'https://evil.test' }],
    ['a page without an origin', { origin: 'null' }],
    ['an older browser on our host without TLS', { origin: 'http://api.test', host: 'api.test' }],
    ['an older browser with an invalid host', { origin: 'https://a b', host: 'a b' }],
    ['a request without origin headers', {}],
  ])('from %s is refused even with a valid key', async (_where, headers) => {
    const api = anApi();
    const tries = [
      await submit(api, KEYS.decode, headers),
      await api.admin.request('/codec/logout', { method: 'POST', headers }),
    ];
    for (const response of tries) {
      expect(response.headers.get('set-cookie')).toBe(null);
      const { status, code } = await problemIn(response);
      expect([status, code]).toEqual([403, expect.stringMatching(/^(?:origin|host)_not_allowed$/)]);
    }
  });

  test('works in an older browser that sends only Origin', async () => {
    const headers = { origin: 'https://api.test', host: 'api.test' };
    expect((await submit(anApi(), KEYS.decode, headers)).status).toBe(303);
    const plain = anApi({ isSecure: false });
    expect((await submit(plain, KEYS.decode, { ...headers, origin: 'http://api.test' })).status).toBe(303);
  });

  test('uses a page that loads nothing, allows no framing and is not cached', async () => {
    const { headers } = await anApi().admin.request('/codec/login');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('codec cookie', () => {
  test('authorises decoding, which is logged with the id of the key', async () => {
    const api = anApi();
    const response = await decode(api, await login(api));
    expect(response.status).toBe(200);
    const line = api.lines.find((text) => text.includes('payloads decoded'));
    expect(line).toContain(`"api_key_id":"id-decode","principal":"${KEYS.decode}"`);
  });

  test('authorises no other route', async () => {
    const api = anApi();
    const headers = { cookie: await login(api) };
    expect((await api.app.request('/v1/agreements', { headers })).status).toBe(401);
  });

  test('expires after exactly one hour', async () => {
    const api = anApi();
    const cookie = await login(api);
    api.time.now = NOW + HOUR_MS - 1;
    expect((await decode(api, cookie)).status).toBe(200);
    api.time.now = NOW + HOUR_MS;
    expect(await problemIn(await decode(api, cookie))).toMatchObject({ code: 'unauthenticated' });
    const page = await (await api.admin.request('/codec/login', { headers: { cookie } })).text();
    expect(page).toContain('name="key"');
  });

  test('stays valid after a new encryption key is added', async () => {
    const before = anApi();
    const cookie = await login(before);
    const [{ id, key }] = before.keyring;
    const keys = [`k2:${Buffer.alloc(32, 2).toString('base64')}`, `${id}:${key.export().toString('base64')}`];
    expect((await decode(anApi({ keys: keys.join(',') }), cookie)).status).toBe(200);
  });

  const ring = anApi().keyring;
  const other = parseKeyring(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
  const good = cookieOf(ring, {});
  test.each([
    ['sealed with another key of the same name', cookieOf(other, {})],
    ['sealed by us for another purpose', cookieOf(ring, {}, 'oauth-state')],
    ['for a removed key', cookieOf(ring, { key: 'gone' })],
    ['for a key with a changed secret', cookieOf(ring, { sha256: '00' })],
    ['with fields of another release', cookieOf(ring, { expiresAtMs: 'later' })],
    ['with content other than JSON', `payto_codec=${seal(ring, 'an operator', CODEC_SESSION_CONTEXT)}`],
    ['with null as its content', `payto_codec=${seal(ring, 'null', CODEC_SESSION_CONTEXT)}`],
    ['with the end cut off', good.slice(0, -4)],
    ['with a changed character', good.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['with an empty value', 'payto_codec='],
    ['with another name', good.replace('payto_codec', 'codec')],
  ])('is refused %s', async (_what, cookie) => {
    expect((await decode(anApi(), good)).status).toBe(200);
    expect(await problemIn(await decode(anApi(), cookie))).toMatchObject({ code: 'unauthenticated' });
  });

  test('is refused with insufficient_scope if its key has lost the scope', async () => {
    const sha256 = createHash('sha256').update(KEYS.read).digest('hex');
    const cookie = cookieOf(ring, { key: 'id-read', sha256 });
    expect(await problemIn(await decode(anApi(), cookie))).toMatchObject({ code: 'insufficient_scope' });
  });

  test('is accepted together with another token from the UI', async () => {
    const response = await decode(anApi(), good, { authorization: 'Bearer a token of the UI' });
    expect(response.status).toBe(200);
  });

  test('is refused from a page of another site', async () => {
    const response = await decode(refusing, good, { origin: 'https://evil.test' });
    expect(await problemIn(response)).toMatchObject({ code: 'origin_not_allowed' });
  });

  test('is deleted on sign-out', async () => {
    const response = await anApi().admin.request('/codec/logout', {
      method: 'POST',
      headers: { ...OWN, cookie: good },
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/codec/login']);
    expect(response.headers.get('set-cookie')).toMatch(/^payto_codec=; Max-Age=0; Path=\/codec/);
  });
});
