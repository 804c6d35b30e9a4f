// However many calls the provider refuses with 401, a token is refreshed at most once per minute.
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { createAccess, type WithAccess } from '../../../activities/tokens/access.js';
import { readFailure, writeFailure } from '../../../activities/failure.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { useTemporal } from '../../support/temporal.js';
import { consentTo, sealedTokenCalls, startConnection } from '../../support/workflows/connections.js';
import { only } from '../../support/workflows/provider.js';
import type { Call } from '../../../payments-api/client.js';
import type { Keyring } from '../../../sealing/keyring.js';

const temporal = useTemporal();
const tokenKeys: Keyring = [{ id: 'k', key: createSecretKey(randomBytes(32)) }];
const A_MINUTE_MS = 60_000;

interface World {
  id: string;
  aProcess: (own?: { nowMs: number }, info?: object) => WithAccess;
  clock: { nowMs: number };
  refreshes: number[];
}

async function inAWorld(work: (world: World) => Promise<void>): Promise<void> {
  const clock = { nowMs: Date.now() };
  const sealing = { tokenKeys, now: () => clock.nowMs };
  const { activities, refreshes } = sealedTokenCalls(sealing);
  await temporal.run(only(activities), async () => {
    const id = `con-${randomUUID()}`;
    const { client } = temporal;
    await consentTo(await startConnection(temporal, id));
    const aProcess: World['aProcess'] = (own = clock, info = {}) => {
      const activity = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
      const access = createAccess({ temporal: client, tokenKeys, now: () => own.nowMs });
      return (connectionId, use) => activity.run(() => access(connectionId, use));
    };
    await work({ id, aProcess, clock, refreshes });
  });
}

const refused = () =>
  new PaymentsApiError('unauthorised', 'getAgreement: expected 2xx; received 401', { status: 401 });
const always401 = () => Promise.reject(refused());
const tokenOf = ({ accessToken }: Call) => Promise.resolve(accessToken);
const butNot =
  (...revoked: string[]) =>
  (call: Call) =>
    revoked.includes(call.accessToken) ? Promise.reject(refused()) : tokenOf(call);
const failureOf = (calls: Promise<unknown>): Promise<unknown> =>
  calls.then(
    (met) => expect.unreachable(`expected a failure; received ${String(met)}`),
    (error: unknown) => error,
  );

test('50 calls that get 401, concurrent or sequential, cause one refresh per minute', async () => {
  await inAWorld(async ({ aProcess, id, clock, refreshes }) => {
    const withAccess = aProcess();
    for (let minutes = 1; minutes <= 3; minutes += 1) {
      const atOnce = await Promise.allSettled(Array.from({ length: 25 }, () => withAccess(id, always401)));
      expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set(['rejected']));
      for (let calls = 0; calls < 25; calls += 1) await failureOf(withAccess(id, always401));
      expect(refreshes).toHaveLength(minutes);
      clock.nowMs += A_MINUTE_MS;
    }
  });
});

test.each([
  ['submitPayment', 'payto', undefined],
  ['watchPayment', 'payto-reads', 'reads'],
  ['adoptPayment', 'payto-reads', 'orphans'],
])('the calls of %s on the queue %s have the share %s', async (activityType, taskQueue, share) => {
  await inAWorld(async ({ aProcess, id, clock }) => {
    const withAccess = aProcess(clock, { activityType, taskQueue });
    expect(await withAccess(id, ({ queueAs }) => Promise.resolve(queueAs?.share))).toBe(share);
  });
});

test('401 answers in five processes with different clocks cause one refresh per minute', async () => {
  await inAWorld(async ({ aProcess, id, clock, refreshes }) => {
    const clocks = [0, 3000, -3000, 600_000, -600_000].map((off) => ({ nowMs: clock.nowMs + off }));
    const processes = clocks.map((own) => aProcess(own));
    for (const withAccess of processes) expect(await withAccess(id, tokenOf)).toBe('access-1');
    for (let minutes = 1; minutes <= 2; minutes += 1) {
      for (let calls = 0; calls < 10; calls += 1)
        await Promise.allSettled(processes.map((withAccess) => withAccess(id, always401)));
      expect(refreshes).toHaveLength(minutes);
      for (const own of clocks) own.nowMs += A_MINUTE_MS;
    }
  });
});

test('a 401 within a minute of a refresh fails with a retry delay', async () => {
  await inAWorld(async ({ aProcess, id, clock }) => {
    const withAccess = aProcess();
    await failureOf(withAccess(id, always401));
    clock.nowMs += 20_000;
    const error = await failureOf(withAccess(id, always401));
    expect(error).toMatchObject({ code: 'unauthorised', status: 401, retryAfterMs: 40_000 });
    const unlimited = { type: 'unauthorised', nonRetryable: false, nextRetryDelay: 40_000 };
    expect(readFailure(error)).toMatchObject(unlimited);
    expect(writeFailure(error)).toMatchObject(unlimited);
  });
});

test('the retry delay is at most a minute after the clock is set back', async () => {
  await inAWorld(async ({ aProcess, id, clock }) => {
    const withAccess = aProcess();
    await failureOf(withAccess(id, always401));
    clock.nowMs -= 24 * 60 * A_MINUTE_MS;
    expect(await failureOf(withAccess(id, always401))).toMatchObject({ retryAfterMs: A_MINUTE_MS });
  });
});

test('a refused token at least a minute old is refreshed, and the call is repeated', async () => {
  await inAWorld(async ({ aProcess, id, clock, refreshes }) => {
    const withAccess = aProcess();
    expect(await withAccess(id, butNot('access-1'))).toBe('access-2');
    clock.nowMs += A_MINUTE_MS;
    expect(await withAccess(id, butNot('access-1', 'access-2'))).toBe('access-3');
    expect(refreshes).toEqual([1, 2]);
  });
});

test('a refused token from before the process started is refreshed immediately', async () => {
  await inAWorld(async ({ aProcess, id, refreshes }) => {
    expect(await aProcess()(id, butNot('access-1'))).toBe('access-2');
    expect(refreshes).toEqual([1]);
  });
});

test('a refused token that another process has fetched is refreshed immediately', async () => {
  await inAWorld(async ({ aProcess, id, clock, refreshes }) => {
    const absent = aProcess();
    expect(await absent(id, tokenOf)).toBe('access-1');
    expect(await aProcess()(id, butNot('access-1'))).toBe('access-2');
    clock.nowMs += 60 * A_MINUTE_MS;
    expect(await absent(id, butNot('access-1', 'access-2'))).toBe('access-3');
    expect(refreshes).toEqual([1, 2]);
  });
});

test('a call in flight during a refresh is repeated without another refresh', async () => {
  await inAWorld(async ({ aProcess, id, refreshes }) => {
    const withAccess = aProcess();
    const overtaken = withAccess(id, async (call) => {
      if (call.accessToken !== 'access-1') return tokenOf(call);
      await withAccess(id, butNot('access-1'));
      throw refused();
    });
    expect(await overtaken).toBe('access-2');
    expect(refreshes).toEqual([1]);
  });
});

test('an error other than 401 is rethrown without a refresh or repeat', async () => {
  await inAWorld(async ({ aProcess, id, refreshes }) => {
    const withAccess = aProcess();
    for (const met of [new PaymentsApiError('unavailable', 'met 503'), new TypeError('a bug')]) {
      let calls = 0;
      const failing = () => ((calls += 1), Promise.reject(met));
      expect(await failureOf(withAccess(id, failing))).toBe(met);
      expect(calls).toBe(1);
    }
    expect(refreshes).toEqual([]);
  });
});
