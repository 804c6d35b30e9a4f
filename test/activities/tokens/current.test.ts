import { createSecretKey, randomBytes } from 'node:crypto';
import { Client, Connection, ServiceError } from '@temporalio/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sealTokens } from '../../../activities/tokens/seal.js';
import { createTokens } from '../../../activities/tokens/current.js';
import type { AccessGrant } from '../../../workflows/connection/contract.js';
import type { Keyring } from '../../../sealing/keyring.js';

const keyring: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];
const LIFE_MS = 7200 * 1000;
const A_MINUTE_MS = 60_000;
const OUTAGE = new ServiceError('nobody is at home');
const away = (): Promise<AccessGrant> => Promise.reject(OUTAGE);
const silent = () => new Promise<AccessGrant>(() => undefined);

function aWorld() {
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const grant: AccessGrant = {
    status: 'healthy',
    ...sealTokens({ keyring, now }, 'acme', 1, {
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
      expiresInSeconds: LIFE_MS / 1000,
      scope: 's',
    }),
  };
  const there = () => Promise.resolve(grant);
  const world = { answer: there, queries: 0, updates: 0 };
  const temporal = new Client({ connection: Connection.lazy() });
  const handle = temporal.workflow.getHandle('connection/acme');
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue(handle);
  vi.spyOn(handle, 'query').mockImplementation(() => {
    world.queries += 1;
    return world.answer();
  });
  vi.spyOn(handle, 'executeUpdate').mockImplementation(() => {
    world.updates += 1;
    return Promise.reject(OUTAGE);
  });
  const deadline = vi.spyOn(temporal, 'withDeadline');
  const tokens = createTokens({ temporal, keyring, now });
  const use = async () => (await tokens.current('acme')).accessToken;
  return { world, clock, grant, there, deadline, use };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('where the connection cannot be asked whether a token still stands', () => {
  test('the token that is known is used, and for ten seconds nobody asks again', async () => {
    const { world, clock, use } = aWorld();
    await use();
    world.answer = away;
    clock.nowMs += A_MINUTE_MS;
    expect(await use()).toBe('access-1');
    expect(world.queries).toBe(2);
    clock.nowMs += 9999;
    expect(await Promise.all([use(), use(), use()])).toEqual(['access-1', 'access-1', 'access-1']);
    expect(world.queries).toBe(2);
    clock.nowMs += 1;
    expect(await use()).toBe('access-1');
    expect(world.queries).toBe(3);
  });

  test('a call fails that has no token to go on with, and the next one asks at once', async () => {
    const { world, there, use } = aWorld();
    world.answer = away;
    await expect(use()).rejects.toBe(OUTAGE);
    await expect(use()).rejects.toBe(OUTAGE);
    expect(world.queries).toBe(2);
    world.answer = there;
    expect(await use()).toBe('access-1');
  });

  test('a revocation meanwhile is heeded with the first question that is answered', async () => {
    const { world, clock, grant, use } = aWorld();
    await use();
    world.answer = away;
    clock.nowMs += A_MINUTE_MS;
    await use();
    world.answer = () => Promise.resolve({ ...grant, status: 'needs_reauthorisation' });
    clock.nowMs += 10_000;
    await expect(use()).rejects.toMatchObject({ type: 'needs_reauthorisation' });
    world.answer = away;
    await expect(use()).rejects.toBe(OUTAGE);
  });

  test('one that is due is used to the end of its life, and not a moment longer', async () => {
    const { world, clock, use } = aWorld();
    await use();
    world.answer = away;
    clock.nowMs += LIFE_MS * 0.95;
    expect(await use()).toBe('access-1');
    expect(await use()).toBe('access-1');
    expect(world).toMatchObject({ queries: 2, updates: 0 });
    clock.nowMs += LIFE_MS * 0.05;
    await expect(use()).rejects.toBe(OUTAGE);
  });
});

describe('a connection that does not answer at all', () => {
  test('is waited for ten seconds, by the server’s clock as by ours, and not again in the next ten', async () => {
    const { world, clock, deadline, use } = aWorld();
    await use();
    world.answer = silent;
    clock.nowMs += A_MINUTE_MS;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const calls = Promise.all([use(), use()]);
    await vi.advanceTimersByTimeAsync(9999);
    const before = Date.now();
    await vi.advanceTimersByTimeAsync(1);
    expect(await calls).toEqual(['access-1', 'access-1']);
    expect(await use()).toBe('access-1');
    expect(world.queries).toBe(2);
    const untilMs = Number(deadline.mock.lastCall?.[0]);
    expect(Math.abs(untilMs - before - 10_000)).toBeLessThan(5000);
  });

  test('fails those who have no token, as something that another attempt may find mended', async () => {
    const { world, use } = aWorld();
    world.answer = silent;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failed = use().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failed).toMatchObject({ type: 'token_not_read', nonRetryable: false });
  });
});
