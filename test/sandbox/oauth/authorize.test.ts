import { createHash } from 'node:crypto';
import { expect, test, describe } from 'vitest';
import {
  askToken,
  callerWith,
  codeFor,
  consent,
  consentFields,
  decide,
  exchange,
  form,
  type Fields,
} from '../../support/sandbox/caller.js';
import { aWorld } from '../../support/sandbox/world.js';

describe('consent and tokens', () => {
  async function showConsent(url: string, overrides: Record<string, string> = {}): Promise<Response> {
    const query = new URLSearchParams(consentFields(overrides));
    return fetch(`${url}/oauth/authorize?${query.toString()}`, { redirect: 'manual' });
  }

  test('the consent page names the application and scopes and offers both decisions', async () => {
    const { url } = await aWorld();
    const response = await showConsent(url);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain('Allow sandbox-client?');
    expect(page).toContain('Manage PayTo agreements');
    expect(page).toContain('value="allow"');
    expect(page).toContain('value="deny"');
  });

  test('the consent page escapes request parameters', async () => {
    const { url } = await aWorld();
    const page = await (await showConsent(url, { state: '"><script>x</script>' })).text();
    expect(page).not.toContain('<script>x');
  });

  test.each([
    ['client_id', 'somebody-else'],
    ['redirect_uri', 'https://evil.example/callback'],
    ['redirect_uri', 'http://127.0.0.1:8080/oauth/callback/'],
  ])('a wrong %s (%s) gets an error page and no redirect', async (field, value) => {
    const { url } = await aWorld();
    const shown = await showConsent(url, { [field]: value });
    expect([shown.status, shown.headers.get('location')]).toEqual([400, null]);
    const fields = { ...consentFields({ [field]: value }), decision: 'allow' };
    const posted = await fetch(`${url}/oauth/authorize`, form(fields));
    expect([posted.status, posted.headers.get('location')]).toEqual([400, null]);
  });

  test('a decision returns a code or an error, with the state', async () => {
    const { url } = await aWorld();
    const allowed = await decide(url, 'allow');
    expect(allowed.href).toMatch(/^http:\/\/127\.0\.0\.1:8080\/oauth\/callback\?code=[\w-]+&state=xyz$/);
    const denied = await decide(url, 'deny');
    expect(denied.search).toBe('?error=access_denied&state=xyz');
  });

  test.each([
    [{ scope: 'pay_to_agreements no_such_scope' }, 'invalid_scope'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
  ])('%o is returned as %s', async (overrides, error) => {
    const { url } = await aWorld();
    expect((await decide(url, 'allow', overrides)).searchParams.get('error')).toBe(error);
  });

  test('a code expires after ten minutes', async () => {
    const { url, control } = await aWorld();
    const [early, late] = [await codeFor(url), await codeFor(url)];
    await control.advance(599);
    expect((await exchange(url, early)).status).toBe(200);
    await control.advance(1);
    expect(await exchange(url, late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('a code is refused with another redirect_uri', async () => {
    const { url } = await aWorld();
    const fields = {
      grant_type: 'authorization_code',
      code: await codeFor(url),
      redirect_uri: 'http://other/',
    };
    expect(await askToken(url, fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test.each([undefined, 'Bearer', 'Bearer made-up', 'Basic abc'])(
    'an authorization of %s gets a 401',
    async (authorization) => {
      const { url } = await aWorld();
      const response = await fetch(`${url}/payto/agreements`, {
        headers: authorization ? { authorization } : {},
      });
      expect(response.status).toBe(401);
    },
  );

  test('a refresh token is not accepted as an access token', async () => {
    const { url } = await aWorld();
    const caller = callerWith(url, (await consent(url)).refresh);
    expect((await caller.get('/payto/agreements')).status).toBe(401);
  });

  test('the token endpoint refuses JSON', async () => {
    const { url } = await aWorld();
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  test.each([
    [{ client_secret: 'wrong', grant_type: 'refresh_token', refresh_token: 'x' }, 401, 'invalid_client'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{}, 400, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 400, 'invalid_request'],
    [{ grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'made-up' }, 400, 'invalid_grant'],
  ])('%o is %i %s', async (fields, status, error) => {
    const { url } = await aWorld();
    expect(await askToken(url, fields)).toMatchObject({ status, body: { error } });
  });

  test.each([
    ['sandbox-client:sandbox-client-secret', 200],
    ['sandbox-client:wrong', 401],
    ['%%%', 401],
  ])('HTTP Basic with %s is %i', async (credentials, status) => {
    const { url } = await aWorld();
    const tokens = await consent(url);
    const response = await fetch(`${url}/oauth/token`, {
      ...form({ grant_type: 'refresh_token', refresh_token: tokens.refresh }),
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    });
    expect(response.status).toBe(status);
  });

  test('a token request may be a multipart form', async () => {
    const { url } = await aWorld();
    const body = new FormData();
    const client = { client_id: 'sandbox-client', client_secret: 'sandbox-client-secret' };
    const fields = { ...client, grant_type: 'refresh_token', refresh_token: (await consent(url)).refresh };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    expect((await fetch(`${url}/oauth/token`, { method: 'POST', body })).status).toBe(200);
  });
});

describe('proof key for code exchange (RFC 7636)', () => {
  const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const S256 = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

  const codeWith = async (url: string, challenge: Fields): Promise<string> =>
    (await decide(url, 'allow', challenge)).searchParams.get('code') ?? '';
  const exchangeWith = (url: string, code: string, proof: Fields) =>
    askToken(url, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'http://127.0.0.1:8080/oauth/callback',
      ...proof,
    });

  test('the test values are the example of the RFC', () => {
    expect(createHash('sha256').update(VERIFIER).digest('base64url')).toBe(CHALLENGE);
  });

  test.each<[string, Fields, Fields]>([
    ['the verifier of an S256 challenge', S256, { code_verifier: VERIFIER }],
    [
      'the verifier of a plain challenge, the default method',
      { code_challenge: VERIFIER },
      { code_verifier: VERIFIER },
    ],
    ['no verifier if there was no challenge', {}, {}],
  ])('a code is accepted with %s', async (_, challenge, proof) => {
    const { url } = await aWorld();
    expect((await exchangeWith(url, await codeWith(url, challenge), proof)).status).toBe(200);
  });

  test.each<[string, Fields, Fields]>([
    ['no verifier', S256, {}],
    ['another verifier', S256, { code_verifier: `${VERIFIER.slice(0, -1)}X` }],
    ['the challenge as verifier', S256, { code_verifier: CHALLENGE }],
    ['an invalid verifier', S256, { code_verifier: 'short' }],
    ['a verifier but no challenge', {}, { code_verifier: VERIFIER }],
  ])('a code is refused with %s and remains valid for the right verifier', async (_, challenge, proof) => {
    const { url, control } = await aWorld();
    const code = await codeWith(url, challenge);
    expect(await exchangeWith(url, code, proof)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(control.ledger().at(-1)).toMatchObject({ kind: 'token', outcome: 'code_verifier_differs' });
    const right = 'code_challenge' in challenge ? { code_verifier: VERIFIER } : {};
    expect((await exchangeWith(url, code, right)).status).toBe(200);
  });

  test.each<[string, Fields]>([
    ['an unknown method', { ...S256, code_challenge_method: 'S512' }],
    ['a method but no challenge', { code_challenge_method: 'S256' }],
    ['a challenge that is too short', { ...S256, code_challenge: 'abc' }],
    ['invalid characters in the challenge', { ...S256, code_challenge: `${CHALLENGE.slice(1)}+` }],
  ])('an authorisation request with %s is refused', async (_, challenge) => {
    const { url } = await aWorld();
    expect((await decide(url, 'allow', challenge)).searchParams.get('error')).toBe('invalid_request');
  });

  test('the consent page posts the challenge', async () => {
    const { url } = await aWorld();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'sandbox-client',
      redirect_uri: 'http://127.0.0.1:8080/oauth/callback',
      scope: 'public',
      state: 'xyz',
      ...S256,
    });
    const page = await (await fetch(`${url}/oauth/authorize?${query.toString()}`)).text();
    expect(page).toContain(`name="code_challenge" value="${CHALLENGE}"`);
    expect(page).toContain('name="code_challenge_method" value="S256"');
  });
});
