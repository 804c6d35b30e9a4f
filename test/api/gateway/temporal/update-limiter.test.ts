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

test('five at once at one workflow, the others in their order, and others are not waited for', async () => {
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

test('one whose turn does not come in time is told to come back, and is not carried out', async () => {
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

test('what Temporal turns away is sent again until it is taken, or its time is over', async () => {
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

test('another failure is nothing to wait for, and its place is free again', async () => {
  const turns = createUpdateLimiter(1000);
  const failing = Array.from({ length: 20 }, () => turns('a', () => Promise.reject(new Error('away'))));
  const met = await Promise.allSettled(failing);
  expect(met.map(({ status }) => status)).toEqual(met.map(() => 'rejected'));
});

test('what is asked again while it is under way is asked once, and anew after that', async () => {
  const { ends, work } = someWork();
  const once = createSharedCalls<string>();
  const asked = [once('a', work), once('a', work)];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await Promise.all(asked)).toEqual(['done', 'done']);
  void once('a', work);
  expect(ends).toHaveLength(2);
});
