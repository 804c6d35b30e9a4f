// The two calls that use up what works once: a sign of life while they last, and nothing that could cut them short.
import { createSecretKey, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, test, vi } from 'vitest';
import { exchangeCodeActivity } from '../../activities/exchange-code.js';
import { refreshTokensActivity } from '../../activities/refresh-tokens.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { codeContext, refreshContext } from '../../sealing/contexts.js';
import { seal } from '../../sealing/keyring.js';
import type { OAuth } from '../../payments-api/oauth.js';
import type { Keyring } from '../../sealing/keyring.js';

const keyring: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];
const ANSWER = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 7200, scope: 's' };
const unused = () => Promise.reject(new Error('not asked for'));

const depsWith = (oauth: Partial<OAuth>, temporal: Client) => ({
  oauth: { exchangeCode: unused, refresh: unused, ...oauth },
  keyring,
  temporal,
  now: Date.now,
});
/** Nobody is at home there. */
const nowhere = () => new Client({ connection: Connection.lazy() });
const environment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

const exchange = (oauth: Partial<OAuth>, verifier?: string) => {
  const sealed = (text: string) => seal(keyring, text, codeContext('acme', 3));
  const sealedVerifier = verifier === undefined ? undefined : sealed(verifier);
  const args = { connectionId: 'acme', round: 3, generation: 1, sealedCode: sealed('the-code'), sealedVerifier }; // prettier-ignore
  const activity = environment();
  return { activity, done: activity.run(exchangeCodeActivity(depsWith(oauth, nowhere())), args) };
};
const refresh = (oauth: Partial<OAuth>, client = nowhere()) => {
  const sealedRefresh = seal(keyring, 'the-token', refreshContext('acme', 1));
  const activity = environment();
  const args = { connectionId: 'acme', life: '2026-11-01T00:00:00.000Z', generation: 1, sealedRefresh };
  return { activity, done: activity.run(refreshTokensActivity(depsWith(oauth, client)), args) };
};

describe('a token call', () => {
  test('beats each second while it lasts, and no longer', async () => {
    const { activity, done } = exchange({ exchangeCode: () => pause(2500, ANSWER) });
    let beats = 0;
    activity.on('heartbeat', () => void (beats += 1));
    await done;
    expect(beats).toBeGreaterThanOrEqual(2);
    const atTheEnd = beats;
    await pause(1200);
    expect(beats).toBe(atTheEnd);
  });

  test('is not called off with its activity: what the server has done would be lost', async () => {
    let isAborted: boolean | undefined;
    const slowly: OAuth['exchangeCode'] = async ({ signal }) => {
      await pause(300);
      isAborted = signal?.aborted ?? false;
      return ANSWER;
    };
    const { activity, done } = exchange({ exchangeCode: slowly });
    activity.cancel('CANCELLED');
    expect(await done).toMatchObject({ generation: 1, scope: 's' });
    expect(isAborted).toBe(false);
  });

  test('shows the verifier of its link, and none where there is none', async () => {
    const shown: (string | undefined)[] = [];
    const exchangeCode: OAuth['exchangeCode'] = ({ code, codeVerifier }) => {
      shown.push(code, codeVerifier);
      return Promise.resolve(ANSWER);
    };
    await exchange({ exchangeCode }, 'the-verifier').done;
    await exchange({ exchangeCode }).done;
    expect(shown).toEqual(['the-code', 'the-verifier', 'the-code', undefined]);
  });

  test('brings its pair home however often that fails at first', async () => {
    const tries: unknown[] = [];
    const away = nowhere();
    const handle = away.workflow.getHandle('connection/acme');
    vi.spyOn(away.workflow, 'getHandle').mockReturnValue(handle);
    vi.spyOn(handle, 'signal').mockImplementation((_signal, ...sealed: unknown[]) => {
      tries.push(...sealed);
      return tries.length < 3 ? Promise.reject(new Error('nobody is at home')) : Promise.resolve();
    });
    const { done } = refresh({ refresh: () => Promise.resolve(ANSWER) }, away);
    expect(await done).toMatchObject({ generation: 2 });
    expect(tries).toHaveLength(3);
    expect(tries[2]).toMatchObject({ generation: 2, life: '2026-11-01T00:00:00.000Z' });
    expect(JSON.stringify(tries)).not.toContain('"a"');
  });

  test('that is put off says for how long, and one that is refused says so for good', async () => {
    const failing = (code: 'rate_limited' | 'grant_refused', retryAfterMs?: number) =>
      refresh({
        refresh: () => Promise.reject(new PaymentsApiError(code, 'no', { status: 429, retryAfterMs })),
      }).done;
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
