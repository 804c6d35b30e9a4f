import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { OAUTH_STATE_CONTEXT, codeContext } from '../../../../sealing/contexts.js';
import { SealError, parseKeyring, seal } from '../../../../sealing/keyring.js';
import { openSealedTo } from '../../../../sealing/public-key.js';
import { TOKEN_KEYS, aRound, anApi, type Api } from '../../../support/api/app.js';
import { BROWSER, COOKIE, press, ticketOf } from '../../../support/api/browsers.js';

const refusing = anApi();

describe('GET /oauth/callback', () => {
  const stateOf = ({ sessionKeys }: Api, with_ = {}) => {
    const state = { connection: 'acme', ...aRound(), browser: BROWSER, ...with_ };
    return seal(sessionKeys, JSON.stringify(state), OAUTH_STATE_CONTEXT);
  };
  const callback = (
    { app }: Api,
    query: Record<string, string> | [string, string][],
    cookie = `__Host-payto_consent=${COOKIE}`,
    method = 'GET',
  ) =>
    app.request(`/oauth/callback?${new URLSearchParams(query).toString()}`, { method, headers: { cookie } });

  test('passes on the sealed code and shows that the window can be closed', async () => {
    const api = anApi();
    const response = await callback(api, { code: 'the-code', state: stateOf(api) });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('You can close this window');
    const [id, answer] = api.door.connections.complete.mock.lastCall ?? [];
    expect(id).toBe('acme');
    expect(answer).toMatchObject(aRound());
    expect(answer).toMatchObject({ browser: BROWSER });
    const sealed = answer?.sealedCode ?? '';
    expect(await openSealedTo(TOKEN_KEYS, sealed, codeContext('acme', 1))).toBe('the-code');
    for (const ring of [api.keyring, api.sessionKeys])
      await expect(openSealedTo(ring, sealed, codeContext('acme', 1))).rejects.toThrow(SealError);
  });

  test('keeps the code if HEAD is sent', async () => {
    const response = await callback(
      refusing,
      { code: 'the-code', state: stateOf(refusing) },
      undefined,
      'HEAD',
    );
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    expect(refusing.door.connections.complete).not.toHaveBeenCalled();
  });

  test.each([
    ['no cookie', ''],
    ['a cookie of another browser', `__Host-payto_consent=${'d'.repeat(43)}`],
    ['a cookie that plain http can set', `payto_consent=${COOKIE}`],
    ['the hash of the cookie', `__Host-payto_consent=${BROWSER}`],
  ])('refuses the code of a browser with %s', async (_, cookie) => {
    const api = anApi();
    const returnUrl = 'https://app.test/done';
    const query = { code: 'the-code', state: stateOf(api, { returnUrl }) };
    const response = await callback(api, query, cookie);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('another browser');
    expect(api.door.connections.complete).not.toHaveBeenCalled();
  });

  test.each([
    [{ code: 'c' }, {}, 'connected'],
    [{ code: 'c' }, { isUnconfirmed: true }, 'unconfirmed'],
    [{ code: 'c' }, { refused: 'other_account' }, 'failed'],
    [{ code: 'c' }, { refused: 'consent_round_unknown' }, undefined],
    [{ error: 'access_denied' }, {}, 'declined'],
  ] as const)('returns to the caller’s page after %j with %j as %s', async (query, outcome, reported) => {
    const api = anApi();
    api.door.connections.complete.mockResolvedValue(outcome);
    const returnUrl = 'https://app.test/done?m=7&outcome=mine';
    const { status, headers } = await callback(api, { ...query, state: stateOf(api, { returnUrl }) });
    expect([status, headers.get('location')]).toEqual(
      reported === undefined
        ? [410, null]
        : [303, `https://app.test/done?m=7&outcome=${reported}&connection=acme`],
    );
  });

  test('shows that the account is not confirmed yet during its check', async () => {
    const api = anApi();
    api.door.connections.complete.mockResolvedValueOnce({ isUnconfirmed: true });
    const response = await callback(api, { code: 'the-code', state: stateOf(api) });
    expect(response.status).toBe(202);
    expect(await response.text()).toContain('account not yet confirmed');
  });

  const foreignKeys = parseKeyring(`k1:${Buffer.alloc(32, 8).toString('base64')}`);
  type Query = Record<string, string> | [string, string][];
  // prettier-ignore
  const NOTHING_SIGNALLED: [string, (api: Api) => Query, number][] = [
    ['no parameters', () => ({}), 400],
    ['no code', (api) => ({ state: stateOf(api) }), 400],
    ['no state', () => ({ code: 'c' }), 400],
    ['a state with HTML', () => ({ code: 'c', state: '<script>alert(1)</script>' }), 400],
    ['a changed state', (api) => ({ code: 'c', state: `${stateOf(api).slice(0, -3)}AAA` }), 400],
    [
      'a state sealed with a foreign key',
      () => ({ code: 'c', state: seal(foreignKeys, '{}', OAUTH_STATE_CONTEXT) }),
      400,
    ],
    [
      'a state sealed for another purpose',
      ({ sessionKeys }) => ({ code: 'c', state: seal(sessionKeys, '{}', 'another') }),
      400,
    ],
    ['a state with fields of another release', (api) => ({ code: 'c', state: stateOf(api, { round: 'one' }) }), 400],
    ['a state with content other than JSON', ({ sessionKeys }) => ({ code: 'c', state: seal(sessionKeys, 'acme', OAUTH_STATE_CONTEXT) }), 400],
    ['a state with null as its content', ({ sessionKeys }) => ({ code: 'c', state: seal(sessionKeys, 'null', OAUTH_STATE_CONTEXT) }), 400],
    ['access_denied', (api) => ({ error: 'access_denied', state: stateOf(api) }), 403],
    ['access_denied with a code', (api) => ({ error: 'access_denied', code: 'c', state: stateOf(api) }), 403],
    ['an error that is too long', (api) => ({ error: 'e'.repeat(5000), code: 'c', state: stateOf(api) }), 400],
    ['empty parameters', () => ({ code: '', state: '', error: '' }), 400],
    ['two codes', (api) => [['code', 'a'], ['code', 'b'], ['state', stateOf(api)]], 400],
    ['one code twice', (api) => [['code', 'a'], ['code', 'a'], ['state', stateOf(api)]], 400],
    ['two states', (api) => [['code', 'a'], ['state', stateOf(api)], ['state', stateOf(api)]], 400],
    ['two errors with a code', (api) => [['error', ''], ['error', 'x'], ['code', 'a'], ['state', stateOf(api)]], 400],
    ['a huge code', (api) => ({ code: 'c'.repeat(4097), state: stateOf(api) }), 400],
    ['a huge state', () => ({ code: 'c', state: 's'.repeat(100_000) }), 400],
    ['another error', () => ({ error: '<b>server_error</b>', error_description: '<b>boo</b>' }), 400],
  ];
  test.each(NOTHING_SIGNALLED)('shows a page and changes nothing for %s', async (_, query, status) => {
    const response = await callback(refusing, query(refusing));
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page).not.toMatch(/<script|<b>|server_error|acme/);
    expect(refusing.door.connections.complete).not.toHaveBeenCalled();
  });

  const NOTHING_CHANGED = /nothing was changed/i;
  test.each([
    ['consent_round_unknown', 410, NOTHING_CHANGED, /new link/],
    ['consent_round_expired', 410, NOTHING_CHANGED, /new link/],
    ['code_refused', 400, NOTHING_CHANGED, /new link/],
    ['other_account', 409, NOTHING_CHANGED, /consent for the right account/],
    ['client_refused', 500, NOTHING_CHANGED, /Tell the person who sent you the link/],
    ['rejected', 500, NOTHING_CHANGED, /Tell the person who sent you the link/],
    ['SealError', 500, NOTHING_CHANGED, /Tell the person who sent you the link/],
    ['rate_limited', 502, NOTHING_CHANGED, /in a few minutes/],
    ['unavailable', 502, /did not answer clearly/, /consent again/],
    ['unanswered', 502, /did not answer clearly/, /consent again/],
    ['malformed', 502, /did not answer clearly/, /consent again/],
    ['a code of a later release', 502, /did not answer clearly/, /consent again/],
  ])(
    'shows the outcome and the next step if the connection fails with %s',
    async (refused, status, known, todo) => {
      const api = anApi();
      api.door.connections.complete.mockResolvedValue({ refused });
      const response = await callback(api, { code: 'c', state: stateOf(api) });
      const page = await response.text();
      expect(response.status).toBe(status);
      expect(page).toMatch(known);
      expect(page).toMatch(todo);
      expect(page).not.toMatch(/You can close this window/);
      if (known !== NOTHING_CHANGED) expect(page).not.toMatch(NOTHING_CHANGED);
    },
  );

  test.each([
    ['temporal_unavailable', 503],
    ['worker_unavailable', 503],
    ['not_found', 400],
  ] as const)('shows a page if the gateway fails with %s', async (code, status) => {
    const api = anApi();
    api.door.connections.complete.mockRejectedValue(new ApiError(code, 'No.'));
    const response = await callback(api, { code: 'c', state: stateOf(api) });
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(page).toContain('<h1>');
    if (status === 503) expect(page).toContain('you may or may not be connected');
  });

  test.each([-600_000, 600_000, 86_400_000])(
    'lets the connection decide on expiry, with our clock off by %i ms',
    async (off) => {
      const api = anApi();
      const state = stateOf(api);
      api.time.now += off;
      expect((await callback(api, { code: 'c', state })).status).toBe(200);
      api.door.connections.complete.mockResolvedValue({ refused: 'consent_round_expired' });
      const tooOld = await callback(api, { code: 'c', state });
      expect(tooOld.status).toBe(410);
      expect(await tooOld.text()).toContain('This link has expired');
    },
  );

  test('shows a page that loads nothing, is not cached and sends no referrer', async () => {
    const response = await callback(anApi(), {});
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).not.toMatch(/https?:/);
  });

  test('does not log the code or the state', async () => {
    const api = anApi();
    const state = stateOf(api);
    await callback(api, { code: 'the-code', state });
    expect(api.lines.join('')).toContain('/oauth/callback');
    expect(api.lines.join('')).not.toContain('the-code');
    expect(api.lines.join('')).not.toContain(state);
  });
});

describe('PKCE (RFC 7636)', () => {
  const linkOf = async (api: Api, connection = 'acme', round = aRound()) => {
    const begun = await press(api, ticketOf(api, { connection, ...round }));
    return new URL(begun.headers.get('location') ?? '').searchParams;
  };
  const comingBack = async (api: Api, state: string) => {
    const query = new URLSearchParams({ code: 'the-code', state });
    const headers = { cookie: `__Host-payto_consent=${COOKIE}` };
    expect((await api.app.request(`/oauth/callback?${query.toString()}`, { headers })).status).toBe(200);
    const [id = '', answer] = api.door.connections.complete.mock.lastCall ?? [];
    const sealed = answer?.sealedVerifier;
    return sealed === undefined ? undefined : openSealedTo(TOKEN_KEYS, sealed, codeContext(id, 1));
  };

  test('is not used if it is switched off', async () => {
    const api = anApi({ pkce: 'off' });
    const link = await linkOf(api);
    expect([...link.keys()]).not.toContain('code_challenge');
    expect(await comingBack(api, link.get('state') ?? '')).toBeUndefined();
  });

  test('stores a verifier that matches the challenge and is not in the link', async () => {
    const api = anApi();
    const link = await linkOf(api);
    const verifier = (await comingBack(api, link.get('state') ?? '')) ?? '';
    expect(link.get('code_challenge_method')).toBe('S256');
    expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(link.get('code_challenge'));
    expect(link.toString()).not.toContain(verifier);
    expect(api.lines.join('')).not.toContain(verifier);
  });

  test('uses a different challenge in each link', async () => {
    const api = anApi();
    const later = { round: 1, expiresAt: new Date(Date.parse(aRound().expiresAt) + 1).toISOString() };
    const links = [await linkOf(api), await linkOf(api, 'other'), await linkOf(api, 'acme', later)];
    expect(new Set(links.map((link) => link.get('code_challenge'))).size).toBe(3);
  });

  test('accepts a link after a new key is added', async () => {
    const before = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
    const link = await linkOf(anApi({ sessionKeys: before }));
    const rotated = anApi({ sessionKeys: `k2:${Buffer.alloc(32, 9).toString('base64')},${before}` });
    const verifier = (await comingBack(rotated, link.get('state') ?? '')) ?? '';
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(link.get('code_challenge'));
  });
});
