// An access token is refreshed once when it is due, by whichever process needs it.
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';
import { createAccess, type WithAccess } from '../../../activities/tokens/access.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { revokeConnection } from '../../../workflows/connection/contract.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { consentTo, sealedTokenCalls, startConnection } from '../../support/workflows/connections.js';
import { only } from '../../support/workflows/provider.js';
import type { Call } from '../../../payments-api/client.js';
import type { Keyring } from '../../../sealing/keyring.js';

const temporal = useTemporal();
const LIFE_MS = 7200 * 1000;
const tokenKeys: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];

interface World {
  withAccess: WithAccess;
  giveUp: () => void;
  id: string;
  clock: { nowMs: number };
  refreshes: number[];
  consent: () => Promise<unknown>;
  revoke: () => Promise<void>;
  beginAgain: () => Promise<void>;
  another: (clock?: { nowMs: number }) => WithAccess;
}

async function inAWorld(work: (world: World) => Promise<void>, lifeMs = LIFE_MS): Promise<void> {
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  let life = '';
  const given = { life: () => life, expiresInSeconds: lifeMs / 1000 };
  const { activities, refreshes } = sealedTokenCalls({ tokenKeys, now }, given);
  await temporal.run(only(activities), async () => {
    const id = `con-${randomUUID()}`;
    const { client } = temporal;
    const begin = () => startConnection(temporal, id);
    const handle = client.workflow.getHandle((await begin()).workflowId);
    const consent = () => consentTo(handle);
    await consent();
    const activity = new MockActivityEnvironment();
    const another: World['another'] = (own = clock) => {
      const access = createAccess({ temporal: client, tokenKeys, now: () => own.nowMs });
      return (connectionId, use) => activity.run(() => access(connectionId, use));
    };
    await work({
      withAccess: another(),
      another,
      revoke: async () => {
        await handle.executeUpdate(revokeConnection, { args: [{ by: 'ops', reason: 'r' }] });
      },
      beginAgain: async () => {
        await handle.terminate();
        life = ' of another life';
        await eventually(
          () => begin().catch(() => undefined),
          (begun) => begun !== undefined,
        );
        await consent();
      },
      giveUp: () => activity.cancel('CANCELLED'),
      id,
      clock,
      refreshes,
      consent,
    });
  });
}

const refusing = (code: 'unauthorised' | 'forbidden', tokens: string[]) => (call: Call) => {
  tokens.push(call.accessToken);
  return tokens.length === 1 ? Promise.reject(new PaymentsApiError(code, 'refused')) : tokenOf(call);
};
const tokenOf = ({ accessToken }: Call) => Promise.resolve(accessToken);

test('a call carries its connection id, and is aborted when its activity is cancelled', async () => {
  await inAWorld(async ({ withAccess, id, giveUp }) => {
    const call = await withAccess(id, (whole) => Promise.resolve(whole));
    expect(call).toMatchObject({ accessToken: 'access-1', connectionId: id, signal: { aborted: false } });
    giveUp();
    expect(call.signal?.aborted).toBe(true);
  });
});

describe('access token', () => {
  test('is refreshed only in the last fifth of its lifetime', async () => {
    await inAWorld(async ({ withAccess, id, clock, refreshes }) => {
      const use = () => withAccess(id, tokenOf);
      clock.nowMs += LIFE_MS * 0.79;
      expect(await use()).toBe('access-1');
      clock.nowMs += LIFE_MS * 0.12;
      expect(await use()).toBe('access-2');
      expect(refreshes).toEqual([1]);
    });
  });

  test('is refreshed once for 500 concurrent calls', async () => {
    await inAWorld(async ({ withAccess, id, clock, refreshes }) => {
      clock.nowMs += LIFE_MS;
      const used = await Promise.all(Array.from({ length: 500 }, () => withAccess(id, tokenOf)));
      expect(new Set(used)).toEqual(new Set(['access-2']));
      expect(refreshes).toEqual([1]);
    });
  });

  test('is refreshed once for 500 concurrent calls in five processes', async () => {
    await inAWorld(async ({ another, id, clock, refreshes }) => {
      const processes = Array.from({ length: 5 }, () => another());
      await Promise.all(processes.map((withAccess) => withAccess(id, tokenOf)));
      clock.nowMs += LIFE_MS;
      const calls = processes.flatMap((withAccess) =>
        Array.from({ length: 100 }, () => withAccess(id, tokenOf)),
      );
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['access-2']));
      expect(refreshes).toEqual([1]);
    });
  });

  test('is no longer used one minute after its revocation', async () => {
    await inAWorld(async ({ withAccess, id, clock, revoke, consent }) => {
      await withAccess(id, tokenOf);
      await revoke();
      clock.nowMs += 60_000;
      await expect(withAccess(id, tokenOf)).rejects.toMatchObject({ type: 'needs_reauthorisation' });
      await consent();
      expect(await withAccess(id, tokenOf)).toBe('access-102');
    });
  });

  test.each([-600_000, 600_000])(
    'is refreshed once per refusal if it lasts five minutes (clock off by %i ms)',
    async (off) => {
      await inAWorld(async ({ another, id, clock, refreshes }) => {
        const elsewhere = another({ nowMs: clock.nowMs + off });
        for (let calls = 0; calls < 5; calls += 1) await elsewhere(id, tokenOf);
        expect(refreshes).toEqual(off > 0 ? [1] : []);
        const before = refreshes.length;
        expect(await elsewhere(id, refusing('unauthorised', []))).toBe(`access-${before + 2}`);
        expect(refreshes).toHaveLength(before + 1);
      }, 300_000);
    },
  );

  test('is refreshed after a refusal by the provider, and the call is repeated once', async () => {
    await inAWorld(async ({ withAccess, id, refreshes }) => {
      const tokens: string[] = [];
      expect(await withAccess(id, refusing('unauthorised', tokens))).toBe('access-2');
      expect(tokens).toEqual(['access-1', 'access-2']);
      expect(refreshes).toEqual([1]);
    });
  });

  test('is not refreshed if a scope is missing', async () => {
    await inAWorld(async ({ withAccess, id, refreshes }) => {
      await expect(withAccess(id, refusing('forbidden', []))).rejects.toMatchObject({ code: 'forbidden' });
      expect(refreshes).toEqual([]);
    });
  });

  test('is replaced by the token of a newer consent if it lacks a scope', async () => {
    await inAWorld(async ({ withAccess, id, refreshes, consent }) => {
      await withAccess(id, tokenOf);
      await consent();
      expect(await withAccess(id, refusing('forbidden', []))).toBe('access-101');
      expect(refreshes).toEqual([]);
    });
  });

  test('is missing for an unknown connection, so the call fails with needs_reauthorisation', async () => {
    await inAWorld(async ({ withAccess }) => {
      const failed = withAccess('nobody', () => Promise.resolve());
      await expect(failed).rejects.toMatchObject({ type: 'needs_reauthorisation', nonRetryable: true });
    });
  });
});

describe('connection restarted with the same id', () => {
  const spentNow = (call: Call) =>
    call.accessToken.endsWith('of another life')
      ? tokenOf(call)
      : Promise.reject(new PaymentsApiError('unauthorised', 'refused'));

  test.each([
    ['the same generation', 0, 'access-1 of another life'],
    ['a higher generation', 2, 'access-1 of another life'],
  ])(
    'provides its new token without a refresh if the cached one has %s',
    async (_, refreshedBefore, token) => {
      await inAWorld(async ({ withAccess, id, clock, refreshes, beginAgain }) => {
        for (let times = 0; times < refreshedBefore; times += 1) {
          clock.nowMs += LIFE_MS;
          await withAccess(id, tokenOf);
        }
        clock.nowMs += 61_000;
        await withAccess(id, tokenOf);
        const before = [...refreshes];
        await beginAgain();
        expect(await Promise.all([1, 2, 3].map(() => withAccess(id, spentNow)))).toEqual([
          token,
          token,
          token,
        ]);
        expect(await withAccess(id, tokenOf)).toBe(token);
        expect(refreshes).toEqual(before);
      });
    },
  );

  test('replaces the old token within a minute, even if the provider still accepts it', async () => {
    await inAWorld(async ({ withAccess, id, clock, refreshes, beginAgain }) => {
      expect(await withAccess(id, tokenOf)).toBe('access-1');
      await beginAgain();
      clock.nowMs += 60_000;
      expect(await withAccess(id, tokenOf)).toBe('access-1 of another life');
      expect(refreshes).toEqual([]);
    });
  });
});
