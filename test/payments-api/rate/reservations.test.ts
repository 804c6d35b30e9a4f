import { expect, test } from 'vitest';
import { throttledMs } from '../../../payments-api/errors.js';
import { createBudget } from '../../../payments-api/rate/budget.js';
import { handClock } from '../../support/payments-api/hand-clock.js';
import type { Rate } from '../../../payments-api/rate/bucket.js';

function aCrowd(rate: Rate, lateMs = 0) {
  const clock = handClock();
  let draws = 0;
  const chance = () => ((draws += 1) * 0.618) % 1;
  const budget = createBudget({ ...rate, clock, chance });
  const went: [string, number][] = [];
  const attempts = new Map<string, number>();
  let longestWaitMs = 0;
  const come = (holder: string, work?: object): Promise<void> => {
    const sinceMs = clock.now();
    attempts.set(holder, (attempts.get(holder) ?? 0) + 1);
    return budget.acquire('acme', { operation: 'x', holder, work }).then(
      () => {
        longestWaitMs = Math.max(longestWaitMs, clock.now() - sinceMs);
        went.push([holder, clock.now()]);
      },
      (error: unknown) =>
        void clock.after((throttledMs(error) ?? NaN) + lateMs, () => void come(holder, work)),
    );
  };
  return { clock, budget, went, attempts, come, longestWaitMs: () => longestWaitMs };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `caller-${index}`);

test.each([
  { perSecond: 10, burst: 20, lateMs: 0 },
  { perSecond: 10, burst: 20, lateMs: 300 },
  { perSecond: 10, burst: 1, lateMs: 0 },
  { perSecond: 100, burst: 10, lateMs: 100 },
  { perSecond: 0.5, burst: 1, lateMs: 0 },
])('each of 600 concurrent callers returns once at its reserved time: %o', async ({ lateMs, ...rate }) => {
  const { clock, went, attempts, come, longestWaitMs } = aCrowd(rate, lateMs);
  for (const who of names(600)) void come(who);
  await clock.advance((600 / rate.perSecond) * 1000 + 5000);
  expect(went).toHaveLength(600);
  expect(Math.max(...attempts.values())).toBe(2);
  expect(longestWaitMs()).toBeLessThanOrEqual(1001);
  const places = went.map(([who]) => Number(who.slice('caller-'.length)));
  const out = places.map((place, index) => Math.abs(place - index));
  expect(Math.max(...out)).toBeLessThanOrEqual(Math.max(1, rate.perSecond));
});

test('new callers queue behind callers with reservations', async () => {
  const { clock, went, come } = aCrowd({ perSecond: 10, burst: 20 });
  for (const who of names(100)) void come(who);
  await clock.advance(3000);
  for (let time = 0; time < 60; time += 1) {
    void come(`newcomer-${time}`);
    await clock.advance(100);
  }
  await clock.advance(20_000);
  const first = went.findIndex(([who]) => who.startsWith('newcomer'));
  expect(first).toBeGreaterThanOrEqual(99);
});

test('unused reservations are released to other callers', async () => {
  const { clock, budget, went, come } = aCrowd({ perSecond: 10, burst: 5 });
  for (const holder of names(300))
    void budget.acquire('acme', { operation: 'x', holder }).catch(() => undefined);
  await clock.advance(10_000);
  for (const who of 'abc') {
    void come(who);
    await clock.advance(100);
  }
  expect(went.map(([who]) => who)).toEqual(['a', 'b', 'c']);
});

test('a pause shifts all reservations and keeps their order', async () => {
  const { clock, budget, went, attempts, come } = aCrowd({ perSecond: 10, burst: 1 });
  for (const who of names(60)) void come(who);
  await clock.advance(500);
  budget.pause('acme', 30_000);
  await clock.advance(60_000);
  expect(went).toHaveLength(60);
  expect(Math.max(...attempts.values())).toBeLessThanOrEqual(3);
  const late = went.filter(([, atMs]) => atMs > 500);
  expect(late.every(([, atMs]) => atMs >= 30_500)).toBe(true);
});

test('work in progress goes first, up to a limit', async () => {
  const { clock, went, come } = aCrowd({ perSecond: 10, burst: 1 });
  const work = {};
  await come('work', work);
  for (const who of names(50)) void come(who);
  for (let call = 2; call <= 60; call += 1) {
    void come('work', work);
    await clock.advance(100);
  }
  expect(new Set(went.map(([who]) => who))).toEqual(new Set(['work']));
  void come('work', work);
  await clock.advance(1000);
  expect(went.slice(60).map(([who]) => who)).not.toContain('work');
});

test('no reservation or timer remains after callers have finished or left', async () => {
  const { clock, budget, come } = aCrowd({ perSecond: 10, burst: 1 });
  for (const who of names(100)) void come(who);
  void budget.acquire('acme', { operation: 'x', holder: 'gone' }).catch(() => undefined);
  await clock.advance(200_000);
  void budget.acquire('another', { operation: 'x' });
  expect(budget.size()).toBe(1);
  expect(clock.running()).toBe(0);
});
