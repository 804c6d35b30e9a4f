// How a merchant lets us in: a link for a person, and the page that they come back to.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../api/errors.js';
import { OAUTH_STATE_CONTEXT, codeContext } from '../../sealing/contexts.js';
import { open, parseKeyring, seal } from '../../sealing/keyring.js';
import { NOW, aRound, anApi, get, post } from './an-api.js';
import type { Api } from './an-api.js';
import { aConnectionView, problemIn } from './builders.js';

const Answer = z.object({
  data: z.object({ id: z.string(), status: z.string(), authorize_url: z.string().nullable() }),
});
const answerIn = async (response: Response) => Answer.parse(await response.json()).data;

describe('POST /v1/connections', () => {
  test('201 with a link whose state is sealed', async () => {
    const api = anApi();
    api.door.connections.view.mockResolvedValue(undefined);
    const response = await post(api, '/v1/connections', { id: 'acme' });
    expect(response.status).toBe(201);
    const { status, authorize_url } = await answerIn(response);
    const link = new URL(authorize_url ?? '');
    expect(status).toBe('awaiting_consent');
    expect(link.origin + link.pathname).toBe('https://auth.test/oauth/authorize');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'our-client',
      redirect_uri: 'https://api.test/oauth/callback',
      scope: 'pay_to_agreements pay_to_payments',
    });
    const state = link.searchParams.get('state') ?? '';
    expect(state).not.toContain('acme');
    expect(JSON.parse(open(api.keyring, state, OAUTH_STATE_CONTEXT))).toEqual({
      connection: 'acme',
      ...aRound(),
    });
  });

  test('a repeat of one that is healthy opens no new round', async () => {
    const api = anApi();
    const response = await post(api, '/v1/connections', { id: 'acme' });
    expect(response.status).toBe(200);
    expect(await answerIn(response)).toMatchObject({ status: 'healthy', authorize_url: null });
    expect(api.door.connections.begin).not.toHaveBeenCalled();
  });

  test.each(['awaiting_consent', 'needs_reauthorisation'] as const)(
    'a repeat of one that is %s gives a fresh link',
    async (status) => {
      const api = anApi();
      api.door.connections.view.mockResolvedValue(aConnectionView({ status }));
      const response = await post(api, '/v1/connections', { id: 'acme' });
      expect(response.status).toBe(200);
      expect((await answerIn(response)).authorize_url).toMatch(/^https:\/\/auth\.test/);
    },
  );

  test('400 when neither the body nor a key says which connection it is', async () => {
    const api = anApi();
    for (const body of ['{}', '']) {
      const problem = await problemIn(await post(api, '/v1/connections', body));
      expect(problem).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    }
    expect(api.door.connections.begin).not.toHaveBeenCalled();
  });

  test('the same key is the same connection, with or without a body', async () => {
    const send = async (body: string) =>
      answerIn(await post(anApi(), '/v1/connections', body, { 'idempotency-key': 'merchant 7' }));
    const { id } = await send('{}');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await send('')).id).toBe(id);
  });

  test('400 for an unknown field', async () => {
    const problem = await problemIn(await post(anApi(), '/v1/connections', { id: 'acme', name: 'x' }));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', pointers: ['/name'] });
  });
});

describe('a connection that exists', () => {
  test('reauthorisation gives a fresh link, even while it is healthy', async () => {
    const response = await post(anApi(), '/v1/connections/acme/reauthorisation', '');
    expect(response.status).toBe(200);
    expect((await answerIn(response)).authorize_url).toMatch(/^https:\/\/auth\.test/);
  });

  test('GET shows its health, and no link', async () => {
    const response = await get(anApi(), '/v1/connections/acme');
    expect(await answerIn(response)).toMatchObject({ id: 'acme', status: 'healthy', authorize_url: null });
  });
});

describe('GET /oauth/callback', () => {
  const stateOf = ({ keyring }: Api, with_ = {}) =>
    seal(keyring, JSON.stringify({ connection: 'acme', ...aRound(), ...with_ }), OAUTH_STATE_CONTEXT);
  const callback = ({ app }: Api, query: Record<string, string>) =>
    app.request(`/oauth/callback?${new URLSearchParams(query).toString()}`);

  test('hands in the code, sealed for this round, and says that the window can be closed', async () => {
    const api = anApi();
    const response = await callback(api, { code: 'the-code', state: stateOf(api) });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('You can close this window');
    const [id, answer] = api.door.connections.complete.mock.lastCall ?? [];
    expect(id).toBe('acme');
    expect(open(api.keyring, answer?.sealedCode ?? '', codeContext('acme', 1))).toBe('the-code');
  });

  const foreignKeys = parseKeyring(`k1:${Buffer.alloc(32, 8).toString('base64')}`);
  const NOTHING_TOLD: [string, (api: Api) => Record<string, string>, number][] = [
    ['no parameters', () => ({}), 400],
    ['no code', (api) => ({ state: stateOf(api) }), 400],
    ['no state', () => ({ code: 'c' }), 400],
    ['a state that is none', () => ({ code: 'c', state: '<script>alert(1)</script>' }), 400],
    ['a state that was changed', (api) => ({ code: 'c', state: `${stateOf(api).slice(0, -3)}AAA` }), 400],
    [
      'a state sealed by others',
      () => ({ code: 'c', state: seal(foreignKeys, '{}', OAUTH_STATE_CONTEXT) }),
      400,
    ],
    [
      'a state sealed for something else',
      ({ keyring }) => ({ code: 'c', state: seal(keyring, '{}', 'another') }),
      400,
    ],
    [
      'an expired state',
      (api) => ({ code: 'c', state: stateOf(api, { expiresAt: new Date(NOW - 1).toISOString() }) }),
      410,
    ],
    ['access_denied', (api) => ({ error: 'access_denied', state: stateOf(api) }), 403],
    ['another error', () => ({ error: '<b>server_error</b>', error_description: '<b>boo</b>' }), 400],
  ];
  test.each(NOTHING_TOLD)('a page and nothing changed for %s', async (_, query, status) => {
    const api = anApi();
    const response = await callback(api, query(api));
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page).not.toMatch(/<script|<b>|server_error|acme/);
    expect(api.door.connections.complete).not.toHaveBeenCalled();
  });

  test.each([
    ['consent_round_unknown', 410],
    ['consent_round_expired', 410],
    ['grant_refused', 400],
  ])('a page when the connection refuses with %s', async (refused, status) => {
    const api = anApi();
    api.door.connections.complete.mockResolvedValue({ refused });
    expect((await callback(api, { code: 'c', state: stateOf(api) })).status).toBe(status);
  });

  test.each([
    ['temporal_unavailable', 503],
    ['worker_unavailable', 503],
    ['not_found', 400],
  ] as const)('a page when the door says %s', async (code, status) => {
    const api = anApi();
    api.door.connections.complete.mockRejectedValue(new ApiError(code, 'No.'));
    const response = await callback(api, { code: 'c', state: stateOf(api) });
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(page).toContain('<h1>');
    // After a timeout nobody knows: the code may have been exchanged all the same.
    if (status === 503) expect(page).toContain('you may or may not be connected');
  });

  test('the page loads nothing, is kept by nobody, and tells no other site where it came from', async () => {
    const response = await callback(anApi(), {});
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).not.toMatch(/https?:/);
  });

  test('neither the code nor the state is logged', async () => {
    const api = anApi();
    const state = stateOf(api);
    await callback(api, { code: 'the-code', state });
    expect(api.lines.join('')).toContain('/oauth/callback');
    expect(api.lines.join('')).not.toContain('the-code');
    expect(api.lines.join('')).not.toContain(state);
  });
});
