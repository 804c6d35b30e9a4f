import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUpdateLimiter, createSharedCalls } from '../../../../api/gateway/temporal/update-limiter.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turnedAway = () =>
  new Error('Workflow Update failed', {
    cause: Object.assign(new Error('8 RESOURCE_EXHAUSTED'), {
      code: 8,
      details: 'limit on number of concurrent in-flight updates has been reached (10)',
      metadata: {},
    }),
  });

function someWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
  return { ends, work };
}

test('a workflow gets at most five concurrent updates, queued in order, without blocking other workflows', async () => {
  const turns = createUpdateLimiter();
  const { ends, work } = someWork();
  const all = Array.from({ length: 7 }, () => turns('a', work));
  void turns('b', work);
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(6);
  ends[0]?.();
  expect(await all[0]).toBe('done');
  expect(ends).toHaveLength(7);
  for (const end of ends) end();
  await vi.advanceTimersByTimeAsync(0);
  ends.at(-1)?.();
  expect(await Promise.all(all)).toHaveLength(7);
});

test('an update still queued at the time limit is refused with too_many_requests and never sent', async () => {
  const turns = createUpdateLimiter(1000);
  const { ends, work } = someWork();
  const going = Array.from({ length: 5 }, () => turns('a', work));
  const late = turns('a', work).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await late).toMatchObject({ code: 'too_many_requests' });
  for (const end of ends) end();
  await Promise.all(going);
  expect(ends).toHaveLength(5);
});

test("an update over Temporal's limit is retried until accepted or timed out", async () => {
  const turns = createUpdateLimiter(1000);
  let attempts = 0;
  const work = () => (++attempts < 3 ? Promise.reject(turnedAway()) : Promise.resolve('done'));
  const taken = turns('a', work);
  await vi.advanceTimersByTimeAsync(500);
  expect(await taken).toBe('done');
  const never = turns('a', () => Promise.reject(turnedAway())).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await never).toMatchObject({ code: 'too_many_requests' });
});

test('an update that fails for another reason is not retried and frees its slot', async () => {
  const turns = createUpdateLimiter(1000);
  const failing = Array.from({ length: 20 }, () => turns('a', () => Promise.reject(new Error('away'))));
  const met = await Promise.allSettled(failing);
  expect(met.map(({ status }) => status)).toEqual(met.map(() => 'rejected'));
});

test('identical concurrent calls share one request, and a later call makes a new one', async () => {
  const { ends, work } = someWork();
  const once = createSharedCalls<string>();
  const requested = [once('a', work), once('a', work)];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await Promise.all(requested)).toEqual(['done', 'done']);
  void once('a', work);
  expect(ends).toHaveLength(2);
});
