// The consent page, codes and tokens follow OAuth 2.0 and RFC 7636; the settings and faults of tokens do what the sandbox documents.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  requestToken,
  callerWith,
  codeFor,
  consent,
  consentFields,
  decide,
  exchange,
  form,
  refresh,
  type Fields,
} from '../../support/sandbox/caller.js';
import { aSharedWorld, aWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();
const CLIENT = { client_id: 'sandbox-client', client_secret: 'sandbox-client-secret' };
const REDIRECT_URI = 'http://127.0.0.1:8080/oauth/callback';
// The example of RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const S256 = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

const openPage = (overrides: Fields = {}): Promise<Response> =>
  fetch(`${theWorld().url}/oauth/authorize?${new URLSearchParams(consentFields(overrides)).toString()}`, {
    redirect: 'manual',
  });

describe('consent page', () => {
  test('names the application, offers both decisions and posts the escaped request', async () => {
    const response = await openPage({ ...S256, state: '"><script>x</script>' });
    const page = await response.text();
    expect(response.status).toBe(200);
    for (const text of ['Allow sandbox-client?', 'Manage PayTo agreements', 'value="allow"', 'value="deny"'])
      expect(page).toContain(text);
    expect(page).toContain(`name="code_challenge" value="${CHALLENGE}"`);
    expect(page).toContain('name="code_challenge_method" value="S256"');
    expect(page).not.toContain('<script>x');
  });

  test.each([
    ['client_id', 'somebody-else'],
    ['redirect_uri', 'https://evil.example/callback'],
    ['redirect_uri', `${REDIRECT_URI}/`],
  ])('with a wrong %s (%s) is an error page without a redirect', async (field, value) => {
    const fields = { ...consentFields({ [field]: value }), decision: 'allow' };
    const posted = await fetch(`${theWorld().url}/oauth/authorize`, form(fields));
    for (const answer of [await openPage({ [field]: value }), posted])
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test('returns a code or an error, with the state', async () => {
    const { url } = theWorld();
    const allowed = await decide(url, 'allow');
    expect(allowed.href).toMatch(/^http:\/\/127\.0\.0\.1:8080\/oauth\/callback\?code=[\w-]+&state=xyz$/);
    expect((await decide(url, 'deny')).search).toBe('?error=access_denied&state=xyz');
  });

  test.each<[Fields, string]>([
    [{ scope: 'pay_to_agreements no_such_scope' }, 'invalid_scope'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ ...S256, code_challenge_method: 'S512' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ ...S256, code_challenge: 'abc' }, 'invalid_request'],
    [{ ...S256, code_challenge: `${CHALLENGE.slice(1)}+` }, 'invalid_request'],
  ])('refuses %o as %s', async (overrides, error) => {
    expect((await decide(theWorld().url, 'allow', overrides)).searchParams.get('error')).toBe(error);
  });
});

describe('code', () => {
  const codeWith = async (challenge: Fields): Promise<string> =>
    (await decide(theWorld().url, 'allow', challenge)).searchParams.get('code') ?? '';
  const exchangeWith = (code: string, fields: Fields) =>
    requestToken(theWorld().url, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      ...fields,
    });

  test('expires after ten minutes', async () => {
    const { url, control } = await aWorld();
    const [early, late] = [await codeFor(url), await codeFor(url)];
    await control.advance(599);
    expect((await exchange(url, early)).status).toBe(200);
    await control.advance(1);
    expect(await exchange(url, late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test.each<[string, Fields, Fields]>([
    ['the verifier of an S256 challenge', S256, { code_verifier: VERIFIER }],
    ['the verifier of a plain challenge', { code_challenge: VERIFIER }, { code_verifier: VERIFIER }],
    ['no verifier if there was no challenge', {}, {}],
  ])('is accepted with %s', async (_, challenge, proof) => {
    expect((await exchangeWith(await codeWith(challenge), proof)).status).toBe(200);
  });

  test.each<[string, Fields, Fields]>([
    ['no verifier', S256, {}],
    ['another verifier', S256, { code_verifier: `${VERIFIER.slice(0, -1)}X` }],
    ['the challenge as verifier', S256, { code_verifier: CHALLENGE }],
    ['an invalid verifier', S256, { code_verifier: 'short' }],
    ['a verifier but no challenge', {}, { code_verifier: VERIFIER }],
  ])('is refused with %s and stays valid for the right verifier', async (_, challenge, proof) => {
    const code = await codeWith(challenge);
    expect(await exchangeWith(code, proof)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const last = theWorld().control.ledger().at(-1);
    expect(last).toMatchObject({ kind: 'token', outcome: 'code_verifier_differs' });
    const right = 'code_challenge' in challenge ? { code_verifier: VERIFIER } : {};
    expect((await exchangeWith(code, right)).status).toBe(200);
  });

  test('is refused with another redirect_uri', async () => {
    const answer = await exchangeWith(await codeWith({}), { redirect_uri: 'http://other/' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('token request', () => {
  test.each<[Fields, number, string]>([
    [{ client_secret: 'wrong', grant_type: 'refresh_token', refresh_token: 'x' }, 401, 'invalid_client'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{}, 400, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 400, 'invalid_request'],
    [{ grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'made-up' }, 400, 'invalid_grant'],
  ])('%o is %i %s', async (fields, status, error) => {
    expect(await requestToken(theWorld().url, fields)).toMatchObject({ status, body: { error } });
  });

  const basic = (credentials: string) => ({
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  });
  const multipart = (fields: Fields): FormData => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...CLIENT, ...fields })) body.set(name, value);
    return body;
  };

  test.each<[string, number, (fields: Fields) => RequestInit]>([
    ['HTTP Basic', 200, (fields) => ({ ...form(fields), headers: basic(Object.values(CLIENT).join(':')) })],
    ['a wrong secret', 401, (fields) => ({ ...form(fields), headers: basic('sandbox-client:wrong') })],
    ['malformed credentials', 401, (fields) => ({ ...form(fields), headers: basic('%%%') })],
    ['a multipart form', 200, (fields) => ({ method: 'POST', body: multipart(fields) })],
    ['JSON', 400, (fields) => ({ method: 'POST', body: JSON.stringify({ ...CLIENT, ...fields }) })],
  ])('with %s is %i', async (_, status, requestOf) => {
    const { url } = theWorld();
    const request = requestOf({
      grant_type: 'refresh_token',
      refresh_token: (await consent(url)).refresh,
    });
    const headers = typeof request.body === 'string' ? { 'content-type': 'application/json' } : {};
    const answer = await fetch(`${url}/oauth/token`, { headers, ...request });
    expect(answer.status).toBe(status);
    if (status === 400) expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
  });
});

describe('access', () => {
  test('requires an access token as bearer', async () => {
    const { url } = theWorld();
    const { refresh: refreshToken } = await consent(url);
    for (const authorization of ['', 'Bearer', 'Bearer made-up', 'Basic abc', `Bearer ${refreshToken}`]) {
      const headers: Fields = authorization === '' ? {} : { authorization };
      expect((await fetch(`${url}/payto/agreements`, { headers })).status, authorization).toBe(401);
    }
  });

  test('with offline_access does not expire, but ends with its grant', async () => {
    const { url, control } = await aWorld();
    const { body } = await exchange(url, await codeFor(url, 'public offline_access'));
    expect([body.expires_in, typeof body.refresh_token]).toEqual([undefined, 'string']);
    await control.advance(300 * 24 * 3600);
    const caller = callerWith(url, body.access_token ?? '');
    expect((await caller.get('/ping')).status).toBe(200);
    control.revokeGrants();
    expect((await caller.get('/ping')).status).toBe(401);
  });

  test('does not reveal the minimum version without a token or scope', async () => {
    const { url, control } = await aWorld();
    control.setOrganisation({ minimum_version: '20260901' });
    const { access } = await consent(url, 'public');
    const statusWith = async (token: string) =>
      (await callerWith(url, token).get('/webhooks', { 'Service-API-Version': '20250101' })).status;
    expect([await statusWith('x'), await statusWith(access)]).toEqual([401, 403]);
  });

  test('identifies the consenting user and account', async () => {
    const { caller, url, ...world } = theWorld();
    const { data } = await caller.get('/user');
    const text: unknown = expect.any(String);
    const account = ['name', 'nickname', 'abn', 'phone', 'street_address', 'suburb', 'state', 'postcode'];
    expect(data).toEqual({
      ...{ first_name: text, last_name: text, mobile_phone: text, email: text },
      account: Object.fromEntries(account.map((field) => [field, text])),
    });
    expect((await (await world.newCaller()).get('/user')).data).toEqual(data);
    const back = await decide(url, 'allow', { consenter: 'other_biller' });
    const { body } = await exchange(url, back.searchParams.get('code') ?? '');
    const other = await callerWith(url, body.access_token ?? '').get('/user');
    const Nicknamed = z.object({ account: z.object({ nickname: z.string() }) });
    const nicknames = [data, other.data].map((user) => Nicknamed.parse(user).account.nickname);
    expect(new Set(nicknames).size).toBe(2);
  });
});

describe('token fault', () => {
  test('after the commit is not used up by a refused request', async () => {
    const { url, control } = await aWorld();
    control.addFault({ on: 'token', do: 'malformed_json', times: 1 });
    expect((await refresh(url, 'made-up')).body.error).toBe('invalid_grant');
    expect(control.state().faults).toHaveLength(1);
  });

  test('of one grant does not affect other grants', async () => {
    const { url, control } = await aWorld();
    const tokens = await consent(url);
    const grant = control.state().grants.at(-1)?.id ?? '';
    const other = await consent(url);
    control.addFault({ on: 'token', do: 'error_503', resource_uid: grant });
    control.addFault({ on: 'token', do: 'revoke_grant', resource_uid: grant });
    expect((await refresh(url, other.refresh)).status).toBe(200);
    const fields = { ...CLIENT, grant_type: 'refresh_token', refresh_token: tokens.refresh };
    expect((await fetch(`${url}/oauth/token`, form(fields))).status).toBe(503);
  });
});

describe('grace period', () => {
  test('reveals no token, and ends when the new pair is used or the grant revoked', async () => {
    const { url, control } = await aWorld();
    control.setOAuth({ grace_seconds: 10 });
    const isRevoked = () => control.state().grants.map(({ revoked }) => revoked);
    const [one, two] = [await consent(url), await consent(url)];
    const { body } = await refresh(url, one.refresh);
    const everything = JSON.stringify([control.state(), control.ledger()]);
    for (const secret of [body.access_token, body.refresh_token]) expect(everything).not.toContain(secret);
    expect((await refresh(url, body.refresh_token ?? '')).status).toBe(200);
    expect((await refresh(url, one.refresh)).body.error).toBe('invalid_grant');
    expect(isRevoked()).toEqual([false, true, false]);
    await refresh(url, two.refresh);
    control.revokeGrants();
    expect((await refresh(url, two.refresh)).body.error).toBe('invalid_grant');
  });
});
