// During an outage of Temporal, a call uses its cached token or fails without waiting.
import { createSecretKey, randomBytes } from 'node:crypto';
import { Client, Connection, ServiceError } from '@temporalio/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sealTokens } from '../../../activities/tokens/seal.js';
import { createTokens } from '../../../activities/tokens/current.js';
import type { AccessGrant } from '../../../workflows/connection/contract.js';
import type { Keyring } from '../../../sealing/keyring.js';

const tokenKeys: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];
const LIFE_MS = 7200 * 1000;
const A_MINUTE_MS = 60_000;
const OUTAGE = new ServiceError('Temporal is unavailable');
const away = (): Promise<AccessGrant> => Promise.reject(OUTAGE);
const silent = () => new Promise<AccessGrant>(() => undefined);

function aWorld() {
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const grant: AccessGrant = {
    status: 'healthy',
    ...sealTokens({ tokenKeys, now }, 'acme', 1, {
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
  const tokens = createTokens({ temporal, tokenKeys, now });
  const use = async () => (await tokens.current('acme')).accessToken;
  return { world, clock, grant, there, deadline, use };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('token check during a Temporal outage', () => {
  test('uses the cached token and does not query again for ten seconds', async () => {
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

  test('fails without a cached token, and the next call queries again immediately', async () => {
    const { world, there, use } = aWorld();
    world.answer = away;
    await expect(use()).rejects.toBe(OUTAGE);
    await expect(use()).rejects.toBe(OUTAGE);
    expect(world.queries).toBe(2);
    world.answer = there;
    expect(await use()).toBe('access-1');
  });

  test('applies a revocation with the first answered query', async () => {
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

  test('uses a token that is due for refresh until it expires', async () => {
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

describe('connection that never responds', () => {
  test('delays a call by ten seconds, and no further call in the next ten', async () => {
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

  test('makes a call without a cached token fail with a retryable error', async () => {
    const { world, use } = aWorld();
    world.answer = silent;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failed = use().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failed).toMatchObject({ type: 'token_not_read', nonRetryable: false });
  });
});
