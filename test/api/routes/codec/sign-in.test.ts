import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CODEC_SESSION_CONTEXT } from '../../../../sealing/contexts.js';
import { parseKeyring, seal } from '../../../../sealing/keyring.js';
import { KEYS, NOW, UI_ORIGINS, anApi } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';
import type { Api } from '../../../support/api/app.js';

const HOUR_MS = 60 * 60 * 1000;
const OWN = { 'sec-fetch-site': 'same-origin' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const submit = async ({ app }: Api, key: string, headers: Record<string, string> = OWN) =>
  app.request('/codec/login', {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams({ key }).toString(),
  });

const cookieIn = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? '';
const login = async (api: Api): Promise<string> => cookieIn(await submit(api, KEYS.operate));

const decode = async ({ app }: Api, cookie: string, headers: Record<string, string> = {}) =>
  app.request('/codec/decode', {
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
  const sha256 = createHash('sha256').update(KEYS.operate).digest('hex');
  const whole = { key: 'id-operate', sha256, expiresAtMs: NOW + HOUR_MS, ...leave };
  return `payto_codec=${seal(ring, JSON.stringify(whole), context)}`;
};

describe('signing in', () => {
  test('sets a cookie that no script, no other site and no other path gets to see', async () => {
    const response = await submit(anApi(), KEYS.operate);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/codec/login']);
    const attributes = response.headers.get('set-cookie')?.split('; ').slice(1).sort();
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=3600', 'Path=/codec', 'SameSite=Strict', 'Secure']);
  });

  test('sets one that goes over http as well, where that is how we are reached', async () => {
    const api = anApi({ codec: { namespace: 'default', origins: [], isSecure: false } });
    expect((await submit(api, KEYS.operate)).headers.get('set-cookie')).not.toContain('Secure');
  });

  test('shows until when, and whose key it is', async () => {
    const api = anApi();
    const headers = { cookie: await login(api) };
    const page = await (await api.app.request('/codec/login', { headers })).text();
    expect(page).toContain('2026-10-01 03:00 UTC');
    expect(page).toContain(`<b>id-operate</b>`);
    expect(page).not.toContain('name="key"');
  });

  test.each([
    ['a key that nobody knows', 'PLANTED', 401],
    ['no key', '', 401],
    ['a key that may read', KEYS.read, 403],
    ['a key that may write', KEYS.write, 403],
  ])('with %s shows the form again, and says why', async (_what, key, status) => {
    const api = anApi();
    const response = await submit(api, key);
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBe(null);
    const page = await response.text();
    expect(page).toMatch(status === 401 ? /not an API key that is known/ : /lacks the scope operate/);
    expect(page).toContain('name="key"');
    expect(page).not.toContain('PLANTED');
    expect(api.lines.join('')).not.toContain('PLANTED');
    expect(api.lines.join('')).toContain(status === 401 ? '"unauthenticated"' : '"insufficient_scope"');
  });

  test('takes a key with the blanks that come along when one is copied', async () => {
    expect((await submit(anApi(), ` ${KEYS.operate}\n`)).status).toBe(303);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'multipart/form-data', ''])(
    'with a body of the type %j is as good as with no key',
    async (type) => {
      const headers = { ...OWN, 'content-type': type };
      const body = `key=${KEYS.operate}`;
      const response = await anApi().app.request('/codec/login', { method: 'POST', headers, body });
      expect(response.status).toBe(401);
    },
  );

  test('with a file is as good as with no key', async () => {
    const form = new FormData();
    form.append('key', new Blob([KEYS.operate]));
    const response = await anApi().app.request('/codec/login', { method: 'POST', headers: OWN, body: form });
    expect(response.status).toBe(401);
  });

  test('with more than 4 KiB is refused', async () => {
    expect(await problemIn(await submit(anApi(), 'x'.repeat(5000)))).toMatchObject({ status: 413 });
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['a neighbour of ours', { 'sec-fetch-site': 'same-site', origin: UI_ORIGINS[0] }],
    ['an older browser on another page', { origin: 'https://evil.test' }],
    ['a page without an origin', { origin: 'null' }],
    ['an older browser on our host, but without TLS', { origin: 'http://api.test', host: 'api.test' }],
    ['an older browser, to a host that is none', { origin: 'https://a b', host: 'a b' }],
    ['nowhere', {}],
  ])('from %s does nothing, with whatever key', async (_where, headers) => {
    const api = anApi();
    const tries = [
      await submit(api, KEYS.operate, headers),
      await api.app.request('/codec/logout', { method: 'POST', headers }),
    ];
    for (const response of tries) {
      expect(response.headers.get('set-cookie')).toBe(null);
      expect(await problemIn(response)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    }
  });

  test('works in an older browser, that says no more than its origin', async () => {
    const headers = { origin: 'https://api.test', host: 'api.test' };
    expect((await submit(anApi(), KEYS.operate, headers)).status).toBe(303);
    const plain = anApi({ codec: { namespace: 'default', origins: [], isSecure: false } });
    expect((await submit(plain, KEYS.operate, { ...headers, origin: 'http://api.test' })).status).toBe(303);
  });

  test('happens on a page that loads nothing, is in no frame, and is kept by nobody', async () => {
    const { headers } = await anApi().app.request('/codec/login');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('the cookie', () => {
  test('does for decoding what a key does, and is logged under its name', async () => {
    const api = anApi();
    const response = await decode(api, await login(api));
    expect(response.status).toBe(200);
    const line = api.lines.find((text) => text.includes('payloads decoded'));
    expect(line).toContain(`"api_key_id":"id-operate","principal":"${KEYS.operate}"`);
  });

  test('does for nothing else', async () => {
    const api = anApi();
    const headers = { cookie: await login(api) };
    expect((await api.app.request('/v1/agreements', { headers })).status).toBe(401);
  });

  test('is good for an hour, to the millisecond', async () => {
    const api = anApi();
    const cookie = await login(api);
    api.time.now = NOW + HOUR_MS - 1;
    expect((await decode(api, cookie)).status).toBe(200);
    api.time.now = NOW + HOUR_MS;
    expect(await problemIn(await decode(api, cookie))).toMatchObject({ code: 'unauthenticated' });
    const page = await (await api.app.request('/codec/login', { headers: { cookie } })).text();
    expect(page).toContain('name="key"');
  });

  test('outlives a new key in front of the one that sealed it', async () => {
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
    ['forged with another key of the same name', cookieOf(other, {})],
    ['sealed by us as something else', cookieOf(ring, {}, 'oauth-state')],
    ['for a key that is no longer there', cookieOf(ring, { key: 'gone' })],
    ['for a key whose secret was changed since', cookieOf(ring, { sha256: '00' })],
    ['of a form that another release may have', cookieOf(ring, { expiresAtMs: 'later' })],
    ['that opens to no JSON', `payto_codec=${seal(ring, 'an operator', CODEC_SESSION_CONTEXT)}`],
    ['that opens to nothing', `payto_codec=${seal(ring, 'null', CODEC_SESSION_CONTEXT)}`],
    ['cut short', good.slice(0, -4)],
    ['with a letter changed', good.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['with nothing in it', 'payto_codec='],
    ['of another name', good.replace('payto_codec', 'codec')],
  ])('%s is worth nothing', async (_what, cookie) => {
    expect((await decode(anApi(), good)).status).toBe(200);
    expect(await problemIn(await decode(anApi(), cookie))).toMatchObject({ code: 'unauthenticated' });
  });

  test('of a key that lost the scope is told so', async () => {
    const sha256 = createHash('sha256').update(KEYS.read).digest('hex');
    const cookie = cookieOf(ring, { key: 'id-read', sha256 });
    expect(await problemIn(await decode(anApi(), cookie))).toMatchObject({ code: 'insufficient_scope' });
  });

  test('counts where the UI sends somebody else’s token along', async () => {
    const response = await decode(anApi(), good, { authorization: 'Bearer a token of the UI' });
    expect(response.status).toBe(200);
  });

  test('on another site’s page is of no use, if a browser should send it', async () => {
    const response = await decode(anApi(), good, { origin: 'https://evil.test' });
    expect(await problemIn(response)).toMatchObject({ code: 'origin_not_allowed' });
  });

  test('is taken back on leaving', async () => {
    const response = await anApi().app.request('/codec/logout', {
      method: 'POST',
      headers: { ...OWN, cookie: good },
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/codec/login']);
    expect(response.headers.get('set-cookie')).toMatch(/^payto_codec=; Max-Age=0; Path=\/codec/);
  });
});
