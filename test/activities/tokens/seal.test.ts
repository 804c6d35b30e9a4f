import { createSecretKey, randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { createAccess } from '../../../activities/tokens/access.js';
import { exchangeCodeActivity } from '../../../activities/connection/exchange-code.js';
import { refreshTokensActivity } from '../../../activities/connection/refresh-tokens.js';
import { sealTokens } from '../../../activities/tokens/seal.js';
import { accessContext, codeContext, refreshContext } from '../../../sealing/contexts.js';
import { seal, type Keyring } from '../../../sealing/keyring.js';
import { publicKeyOf, sealTo } from '../../../sealing/public-key.js';

const tokenKeys: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];
const NOT_AUTHENTIC = { name: 'SealError', code: 'not_authentic' };
const ANSWER = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 7200, scope: 's' };
const sealed = (context: string): string => seal(tokenKeys, 'a secret', context);
const environment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

function aWorld() {
  const exchangeCode = vi.fn(() => Promise.resolve(ANSWER));
  const refresh = vi.fn(() => Promise.resolve(ANSWER));
  const temporal = new Client({ connection: Connection.lazy() });
  const handle = temporal.workflow.getHandle('connection/acme');
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue(handle);
  const query = vi.spyOn(handle, 'query');
  const sent = [vi.spyOn(handle, 'signal'), vi.spyOn(handle, 'executeUpdate')];
  const getUser = vi.fn(() => Promise.resolve({}));
  const deps = {
    tokenKeys,
    temporal,
    now: Date.now,
    oauth: { exchangeCode, refresh },
    payments: { getUser },
  };
  const expectNothingSent = () => {
    for (const asked of [exchangeCode, refresh, getUser, ...sent]) expect(asked).not.toHaveBeenCalled();
  };
  return { deps, query, expectNothingSent };
}

const tokenKey = await publicKeyOf(tokenKeys);
const sealedFor = (context: string) => sealTo(tokenKey, 'a secret', context);
const own = await sealedFor(codeContext('acme', 3));
test.each([
  ['a code of another connection', await sealedFor(codeContext('other', 3)), undefined],
  ['a code of another round', await sealedFor(codeContext('acme', 2)), undefined],
  ['a verifier of another connection', own, await sealedFor(codeContext('other', 3))],
  ['its own refresh token, sealed to the workers', await sealedFor(refreshContext('acme', 3)), undefined],
])('%s is not exchanged', async (_, sealedCode, sealedVerifier) => {
  const { deps, expectNothingSent } = aWorld();
  const args = { connectionId: 'acme', round: 3, generation: 1, sealedCode, sealedVerifier };
  await expect(environment().run(exchangeCodeActivity(deps), args)).rejects.toMatchObject(NOT_AUTHENTIC);
  expectNothingSent();
});

test.each([
  ['of another connection', refreshContext('other', 1)],
  ['of another generation', refreshContext('acme', 2)],
  ['sealed as an access token', accessContext('acme', 1)],
])('a refresh token %s is not used', async (_, context) => {
  const { deps, expectNothingSent } = aWorld();
  const args = {
    connectionId: 'acme',
    life: '2026-11-01T00:00:00.000Z',
    generation: 1,
    sealedRefresh: sealed(context),
  };
  await expect(environment().run(refreshTokensActivity(deps), args)).rejects.toMatchObject(NOT_AUTHENTIC);
  expectNothingSent();
});

test.each([
  ['of another connection', accessContext('other', 1)],
  ['of another generation', accessContext('acme', 2)],
  ['sealed as a refresh token', refreshContext('acme', 1)],
])('an access token %s is not used or cached', async (_, context) => {
  const { deps, query, expectNothingSent } = aWorld();
  const own = { status: 'healthy' as const, ...sealTokens(deps, 'acme', 1, ANSWER) };
  const withAccess = createAccess(deps);
  const work = vi.fn(() => Promise.resolve('asked'));
  const call = () => environment().run(() => withAccess('acme', work));
  query.mockResolvedValue({ ...own, sealedAccess: sealed(context) });
  for (let times = 0; times < 2; times += 1) await expect(call()).rejects.toMatchObject(NOT_AUTHENTIC);
  expect(work).not.toHaveBeenCalled();
  expect(query).toHaveBeenCalledTimes(2);
  expectNothingSent();
  query.mockResolvedValue(own);
  expect(await call()).toBe('asked');
});
