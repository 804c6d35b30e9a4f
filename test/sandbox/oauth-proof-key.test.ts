// Proof keys for codes (RFC 7636): a code that was asked for with a challenge is good only with what the challenge is of.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { askToken, decide } from './caller.js';
import { aWorld } from './world.js';
import type { Fields } from './caller.js';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
/** RFC 7636, appendix B. */
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

test('the example of the RFC is one', () => {
  expect(createHash('sha256').update(VERIFIER).digest('base64url')).toBe(CHALLENGE);
});

test.each<[string, Fields, Fields]>([
  ['the verifier of an S256 challenge', S256, { code_verifier: VERIFIER }],
  [
    'the verifier of a plain challenge, which is the method where none is named',
    { code_challenge: VERIFIER },
    { code_verifier: VERIFIER },
  ],
  ['no verifier where there was no challenge', {}, {}],
])('a code buys tokens with %s', async (_, challenge, proof) => {
  const { url } = await aWorld();
  expect((await exchangeWith(url, await codeWith(url, challenge), proof)).status).toBe(200);
});

test.each<[string, Fields, Fields]>([
  ['no verifier', S256, {}],
  ['another verifier', S256, { code_verifier: `${VERIFIER.slice(0, -1)}X` }],
  ['the challenge itself', S256, { code_verifier: CHALLENGE }],
  ['a verifier that is none', S256, { code_verifier: 'short' }],
  ['a verifier where there was no challenge', {}, { code_verifier: VERIFIER }],
])('it buys none with %s, and is still good for whoever has the right one', async (_, challenge, proof) => {
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
  ['another method', { ...S256, code_challenge_method: 'S512' }],
  ['a method alone', { code_challenge_method: 'S256' }],
  ['a challenge that is too short', { ...S256, code_challenge: 'abc' }],
  ['a challenge of other characters', { ...S256, code_challenge: `${CHALLENGE.slice(1)}+` }],
])('a request with %s is sent back', async (_, challenge) => {
  const { url } = await aWorld();
  expect((await decide(url, 'allow', challenge)).searchParams.get('error')).toBe('invalid_request');
});

test('the page that asks a person posts the challenge back', async () => {
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
