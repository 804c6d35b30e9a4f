import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { OAUTH_STATE_CONTEXT } from '../../../../sealing/contexts.js';
import { open, seal } from '../../../../sealing/keyring.js';
import { aRound, anApi } from '../../../support/api/app.js';
import { BROWSER, COOKIE, press, ticketOf } from '../../../support/api/browsers.js';
import { problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

describe('GET /oauth/begin/{ticket}', () => {
  test.each(['GET', 'HEAD'])('shows a button and changes nothing (%s)', async (method) => {
    const api = anApi();
    const response = await api.app.request(`/oauth/begin/${ticketOf(api)}`, { method });
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*frame-ancestors 'none'/,
    );
    if (method === 'GET') expect(await response.text()).toContain('<button>Continue</button>');
    expect(api.door.connections.useTicket).not.toHaveBeenCalled();
  });

  test.each(['x', 'v1.k1.AAAA', '%3Cb%3E'])('shows that we did not issue %j', async (ticket) => {
    const sent = [await refusing.app.request(`/oauth/begin/${ticket}`), await press(refusing, ticket)];
    for (const { status } of sent) expect([400, 404]).toContain(status);
    expect(refusing.door.connections.useTicket).not.toHaveBeenCalled();
  });

  test('does not accept a state as a ticket', async () => {
    const state = seal(
      refusing.sessionKeys,
      JSON.stringify({ connection: 'a', ...aRound() }),
      OAUTH_STATE_CONTEXT,
    );
    expect((await press(refusing, state)).status).toBe(400);
  });
});

describe('POST /oauth/begin/{ticket}', () => {
  test('binds the browser by a cookie, and goes to the authorisation server', async () => {
    const api = anApi();
    const response = await press(api, ticketOf(api), { cookie: '' });
    expect(response.status).toBe(303);
    const [pair = '', ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? [];
    const [name, cookie = ''] = pair.split('=');
    expect(name).toBe('__Host-payto_consent');
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure']);
    const browser = createHash('sha256').update(cookie).digest('base64url');
    expect(api.door.connections.useTicket.mock.calls).toEqual([['acme', { ...aRound(), browser }]]);
    const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? '');
    expect(origin + pathname).toBe('https://auth.test/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'our-client',
      redirect_uri: 'https://api.test/oauth/callback',
      scope: 'pay_to_agreements pay_to_payments',
    });
    const state = searchParams.get('state') ?? '';
    expect(JSON.parse(open(api.sessionKeys, state, OAUTH_STATE_CONTEXT))).toEqual({
      connection: 'acme',
      ...aRound(),
      browser,
      verifierKey: 'k1',
    });
    expect(response.headers.get('location')).not.toContain(cookie);
  });

  test('keeps the cookie of a browser that already has one', async () => {
    const api = anApi();
    expect((await press(api, ticketOf(api))).headers.get('set-cookie')).toContain(COOKIE);
    expect(api.door.connections.useTicket.mock.lastCall?.[1]).toMatchObject({ browser: BROWSER });
  });

  test('sets a cookie without prefix and Secure if our address uses http', async () => {
    const api = anApi({ isSecure: false });
    const cookie = (await press(api, ticketOf(api), { cookie: '' })).headers.get('set-cookie');
    expect(cookie).toMatch(/^payto_consent=/);
    expect(cookie).not.toContain('Secure');
  });

  test.each([
    ['consent_begun_elsewhere', 403, 'opened in another browser'],
    ['consent_round_expired', 410, 'has expired'],
    ['consent_round_unknown', 410, 'already used or replaced'],
  ])('shows %s', async (refused, status, words) => {
    const api = anApi();
    api.door.connections.useTicket.mockResolvedValue({ refused });
    const response = await press(api, ticketOf(api));
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(words);
  });

  test.each([
    ['temporal_unavailable', 503],
    ['not_found', 400],
  ] as const)('shows a page if the gateway fails with %s', async (code, status) => {
    const api = anApi();
    api.door.connections.useTicket.mockRejectedValue(new ApiError(code, 'No.'));
    expect((await press(api, ticketOf(api))).status).toBe(status);
  });

  test('refuses a form of another site', async () => {
    const sent = await press(refusing, ticketOf(refusing), { 'sec-fetch-site': 'cross-site' });
    expect(await problemIn(sent)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    expect(refusing.door.connections.useTicket).not.toHaveBeenCalled();
  });

  test('does not log the ticket', async () => {
    const api = anApi();
    const ticket = ticketOf(api);
    await press(api, ticket);
    expect(api.lines.join('')).toContain('/oauth/begin/');
    expect(api.lines.join('')).not.toContain(ticket);
  });
});
