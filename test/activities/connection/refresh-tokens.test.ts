// A token call loses no tokens, and shows no account in clear.
import { createSecretKey, randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { accountHash } from '../../../payments-api/account-hash.js';
import { exchangeCodeActivity } from '../../../activities/connection/exchange-code.js';
import { refreshTokensActivity } from '../../../activities/connection/refresh-tokens.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { accessContext, codeContext, refreshContext } from '../../../sealing/contexts.js';
import { open, seal, type Keyring } from '../../../sealing/keyring.js';
import { publicKeyOf, sealTo } from '../../../sealing/public-key.js';
import type { PaymentsApiErrorCode } from '../../../domain/provider/call-codes.js';
import type { PaymentsApi } from '../../../payments-api/client.js';
import type { OAuth } from '../../../payments-api/oauth.js';
import type { SealedTokens } from '../../../workflows/connection/contract.js';

const tokenKeys: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];
const ANSWER = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 7200, scope: 's' };
const unused = () => Promise.reject(new Error('unexpected call'));

type GetUser = PaymentsApi['getUser'];
const BILLER = { account: { nickname: 'a-biller', abn: '53004085616' } };
const biller: GetUser = () => Promise.resolve(BILLER);

const depsWith = (oauth: Partial<OAuth>, temporal: Client, getUser = biller) => ({
  oauth: { exchangeCode: unused, refresh: unused, ...oauth },
  payments: { getUser },
  tokenKeys,
  temporal,
  now: Date.now,
});
const nowhere = () => new Client({ connection: Connection.lazy() });
const environment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

const tokenKey = await publicKeyOf(tokenKeys);
const sealedFor = (text: string) => sealTo(tokenKey, text, codeContext('acme', 3));
const sealedCode = await sealedFor('the-code');
const exchange = async (
  oauth: Partial<OAuth>,
  verifier?: string,
  activity = environment(),
  getUser = biller,
) => {
  const sealedVerifier = verifier === undefined ? undefined : await sealedFor(verifier);
  const args = { connectionId: 'acme', round: 3, generation: 1, sealedCode, sealedVerifier };
  return activity.run(exchangeCodeActivity(depsWith(oauth, nowhere(), getUser)), args);
};
const refresh = (oauth: Partial<OAuth>, client = nowhere()) => {
  const sealedRefresh = seal(tokenKeys, 'the-token', refreshContext('acme', 1));
  const args = { connectionId: 'acme', life: '2026-11-01T00:00:00.000Z', generation: 1, sealedRefresh };
  return environment().run(refreshTokensActivity(depsWith(oauth, client)), args);
};

describe('token call', () => {
  test('heartbeats every second only while it runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const activity = environment();
    let heartbeats = 0;
    activity.on('heartbeat', () => void (heartbeats += 1));
    const slowly = () => {
      vi.advanceTimersByTime(2500);
      return Promise.resolve(ANSWER);
    };
    await exchange({ exchangeCode: slowly }, undefined, activity);
    expect(heartbeats).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect(heartbeats).toBe(2);
  });

  test('completes after its activity is cancelled, so that no tokens are lost', async () => {
    const activity = environment();
    let isAborted: boolean | undefined;
    const cancelledMeanwhile: OAuth['exchangeCode'] = async ({ signal }) => {
      activity.cancel('CANCELLED');
      await Promise.resolve();
      isAborted = signal?.aborted ?? false;
      return ANSWER;
    };
    const exchanged = await exchange({ exchangeCode: cancelledMeanwhile }, undefined, activity);
    expect(exchanged).toMatchObject({ generation: 1, scope: 's' });
    expect(isAborted).toBe(false);
  });

  test('sends the PKCE verifier only if the link has one', async () => {
    const shown: (string | undefined)[] = [];
    const exchangeCode: OAuth['exchangeCode'] = ({ code, codeVerifier }) => {
      shown.push(code, codeVerifier);
      return Promise.resolve(ANSWER);
    };
    await exchange({ exchangeCode }, 'the-verifier');
    await exchange({ exchangeCode });
    expect(shown).toEqual(['the-code', 'the-verifier', 'the-code', undefined]);
  });

  const exchanged = () => Promise.resolve(ANSWER);
  test('returns only a hash of the account, fetched with the new token', async () => {
    const getUser = vi.fn(biller);
    const pair = await exchange({ exchangeCode: exchanged }, undefined, environment(), getUser);
    expect(pair).toMatchObject({ generation: 1, account: accountHash(BILLER) });
    expect(JSON.stringify(pair)).not.toMatch(/a-biller|53004085616/);
    expect(getUser.mock.calls).toMatchObject([[{ accessToken: 'a' }]]);
  });

  const failing = (code: PaymentsApiErrorCode, lacksScope?: boolean) => () =>
    Promise.reject(new PaymentsApiError(code, 'no', { lacksScope }));
  test.each<[string, GetUser, object]>([
    ['with a 5xx', failing('unavailable'), { checkFailed: 'unavailable' }],
    ['with a 403 that names no scope', failing('forbidden'), { checkFailed: 'forbidden' }],
    ['with an unreadable response', failing('malformed'), { checkFailed: 'malformed' }],
    ['with a 403 for a missing scope', failing('forbidden', true), { account: undefined }],
    ['without an account', () => Promise.resolve({}), { account: undefined }],
  ])('keeps its tokens and reports the check if GET /user ends %s', async (_, getUser, said) => {
    const pair = await exchange({ exchangeCode: exchanged }, undefined, environment(), getUser);
    expect(pair).toMatchObject({ generation: 1, scope: 's', ...said });
    expect(JSON.stringify(pair).includes('checkFailed')).toBe('checkFailed' in said);
  });

  test('retries until its connection has received the tokens', async () => {
    const tries: unknown[] = [];
    const away = nowhere();
    const handle = away.workflow.getHandle('connection/acme');
    vi.spyOn(away.workflow, 'getHandle').mockReturnValue(handle);
    vi.spyOn(handle, 'signal').mockImplementation((_signal, ...sealed: unknown[]) => {
      tries.push(...sealed);
      return tries.length < 3 ? Promise.reject(new Error('unreachable')) : Promise.resolve();
    });
    const refreshed = await refresh({ refresh: () => Promise.resolve(ANSWER) }, away);
    expect(refreshed).toMatchObject({ generation: 2 });
    expect(tries).toHaveLength(3);
    expect(tries[2]).toMatchObject({ generation: 2, life: '2026-11-01T00:00:00.000Z' });
    expect(JSON.stringify(tries)).not.toContain('"a"');
  });

  test('seals the previous refresh token for the next generation if the answer has none', async () => {
    const client = nowhere();
    const handle = client.workflow.getHandle('connection/acme');
    vi.spyOn(client.workflow, 'getHandle').mockReturnValue(handle);
    const signal = vi.spyOn(handle, 'signal').mockResolvedValue();
    const answer = { ...ANSWER, refreshToken: undefined };
    const kept = (await refresh({ refresh: () => Promise.resolve(answer) }, client)) as SealedTokens;
    expect(open(tokenKeys, kept.sealedRefresh, refreshContext('acme', 2))).toBe('the-token');
    expect(open(tokenKeys, kept.sealedAccess, accessContext('acme', 2))).toBe('a');
    expect(Date.parse(kept.refreshKeptAt ?? '')).toBeGreaterThan(0);
    expect(signal.mock.lastCall?.[1]).toEqual(kept);
    expect(await refresh({ refresh: () => Promise.resolve(ANSWER) }, client)).not.toHaveProperty(
      'refreshKeptAt',
    );
  });

  test('reports the delay if rate-limited, and is non-retryable if refused', async () => {
    const failing = (code: 'rate_limited' | 'grant_refused', retryAfterMs?: number) =>
      refresh({
        refresh: () => Promise.reject(new PaymentsApiError(code, 'no', { status: 429, retryAfterMs })),
      });
    await expect(failing('rate_limited', 45_000)).rejects.toMatchObject({
      type: 'rate_limited',
      details: [{ retryAfterMs: 45_000 }],
    });
    await expect(failing('grant_refused')).rejects.toMatchObject({
      type: 'grant_refused',
      nonRetryable: true,
    });
  });
});
