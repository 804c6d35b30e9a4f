import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { PaymentsApiError, throttledMs } from '../../../payments-api/errors.js';
import { createBudget } from '../../../payments-api/rate/budget.js';
import type { Share } from '../../../payments-api/rate/bucket.js';
import { handClock } from '../../support/payments-api/hand-clock.js';
import { thrownBy } from '../../support/payments-api/loopback.js';

function aBudget(perSecond: number, burst: number) {
  const clock = handClock();
  const budget = createBudget({ perSecond, burst, clock, chance: () => 0 });
  const went: [string, number][] = [];
  const refused: [string, number][] = [];
  const ask = (who: string, signal?: AbortSignal, connectionId = 'acme', share?: Share) =>
    budget.acquire(connectionId, { operation: who, signal, share }).then(
      () => void went.push([who, clock.now()]),
      () => void refused.push([who, clock.now()]),
    );
  return { clock, budget, went, refused, ask };
}

describe('call rate', () => {
  test('allows a burst and then spaces the calls', async () => {
    const { clock, went, ask } = aBudget(10, 3);
    for (const who of 'abcde') void ask(who);
    await clock.advance(1000);
    expect(went).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['d', 100],
      ['e', 200],
    ]);
  });

  test.each([
    ['orphans', 2],
    ['reads', 8],
  ] as const)('leaves the rest to payments while %s use their share', async (share, perSecond) => {
    const { clock, went, ask } = aBudget(10, 10);
    for (let count = 0; count < 40; count += 1) void ask(share, undefined, 'acme', share);
    await clock.advance(0);
    expect(went).toHaveLength(perSecond);
    for (let count = 0; count < 10 - perSecond; count += 1) void ask('payment');
    await clock.advance(0);
    expect(went.filter(([who]) => who === 'payment')).toHaveLength(10 - perSecond);
    await clock.advance(1000);
    expect(went.filter(([who]) => who === share)).toHaveLength(2 * perSecond);
  });

  test('saves at most one burst while idle', async () => {
    const { clock, went, ask } = aBudget(10, 2);
    await clock.advance(3_600_000);
    for (const who of 'abc') void ask(who);
    await clock.advance(100);
    expect(went.map(([, atMs]) => atMs - 3_600_000)).toEqual([0, 0, 100]);
  });

  test('is separate for each connection', async () => {
    const { clock, went, ask } = aBudget(1, 1);
    for (const connection of ['one', 'two', 'three']) void ask(connection, undefined, connection);
    await clock.advance(0);
    expect(went).toHaveLength(3);
  });

  test('property: holds over time, in order, with at most 1 s of waiting', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
    const rates = fc.record({
      perSecond: fc.double({ min: 0.5, max: 50, noNaN: true }),
      burst: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(gaps, rates, async (between, { perSecond, burst }) => {
        const { clock, went, refused, ask } = aBudget(perSecond, burst);
        const requestedAt = new Map<string, number>();
        for (const [index, gap] of between.entries()) {
          await clock.advance(gap);
          requestedAt.set(String(index), clock.now());
          void ask(String(index));
        }
        await clock.advance(10_000);
        expect(went.length + refused.length).toBe(between.length);
        expect(went.map(([who]) => Number(who))).toEqual(
          went.map(([who]) => Number(who)).toSorted((a, b) => a - b),
        );
        for (const [who, atMs] of went) expect(atMs - (requestedAt.get(who) ?? 0)).toBeLessThanOrEqual(1001);
        for (const [who, atMs] of refused) expect(atMs).toBe(requestedAt.get(who));
        for (const [first, [, fromMs]] of went.entries()) {
          for (const [last, [, toMs]] of went.entries()) {
            if (last < first) continue;
            expect(last - first + 1).toBeLessThanOrEqual(burst + ((toMs - fromMs) * perSecond) / 1000 + 1e-6);
          }
        }
        expect(clock.running()).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe('call queue', () => {
  test('refuses a caller that would wait more than 1 s, with a retry time', async () => {
    const { clock, budget, went, ask } = aBudget(10, 1);
    for (let who = 0; who <= 10; who += 1) void ask(String(who));
    const error = await thrownBy(() => budget.acquire('acme', { operation: 'getPayment' }));
    expect(error).toBeInstanceOf(PaymentsApiError);
    expect(error).toMatchObject({ code: 'rate_limited', status: undefined, retryAfterMs: 1100 });
    expect(String(error)).toMatch(/getPayment: .* Nothing was sent$/);
    expect(throttledMs(error)).toBe(1100);
    await clock.advance(1000);
    expect(went).toHaveLength(11);
  });

  test('distinguishes the provider’s rate limit from ours', () => {
    const theirs = new PaymentsApiError('rate_limited', 'met 429', { status: 429, retryAfterMs: 5 });
    expect(throttledMs(theirs)).toBeUndefined();
    expect(throttledMs(new PaymentsApiError('unavailable', 'met none', { retryAfterMs: 5 }))).toBeUndefined();
    expect(throttledMs(new Error('rate_limited'))).toBeUndefined();
  });

  test('advances when a caller aborts', async () => {
    const { clock, went, refused, ask } = aBudget(10, 1);
    const impatient = new AbortController();
    void ask('a');
    void ask('b', impatient.signal);
    void ask('c');
    await clock.advance(50);
    impatient.abort();
    await clock.advance(1000);
    expect(refused).toEqual([['b', 50]]);
    expect(went).toEqual([
      ['a', 0],
      ['c', 100],
    ]);
  });

  test('frees the place of an aborted caller', async () => {
    const { clock, went, refused, ask } = aBudget(10, 1);
    const impatient = new AbortController();
    for (let who = 0; who < 10; who += 1) void ask(String(who));
    void ask('impatient', impatient.signal);
    void ask('too late');
    impatient.abort();
    void ask('in time');
    await clock.advance(10_000);
    expect(refused.map(([who]) => who).toSorted()).toEqual(['impatient', 'too late']);
    expect(went.at(-1)).toEqual(['in time', 1000]);
  });

  test('reports that nothing was sent for an aborted caller', async () => {
    const { budget } = aBudget(1, 1);
    const caller = new AbortController();
    await budget.acquire('acme', { operation: 'x' });
    const waiting = thrownBy(() => budget.acquire('acme', { operation: 'x', signal: caller.signal }));
    caller.abort(new Error('enough'));
    const error = await waiting;
    expect(error).toMatchObject({ code: 'unavailable', cause: { message: 'enough' } });
    expect(String(error)).toContain('Nothing was sent');
  });

  test('uses no capacity for a caller that aborted earlier', async () => {
    const { clock, went, refused, ask } = aBudget(1, 1);
    void ask('gone', AbortSignal.abort());
    void ask('here');
    await clock.advance(0);
    expect({ went, refused }).toEqual({ went: [['here', 0]], refused: [['gone', 0]] });
  });
});

describe('provider pause', () => {
  test('delays all calls and then spaces them', async () => {
    const { clock, budget, went, ask } = aBudget(10, 20);
    budget.pause('acme', 300);
    for (const who of 'abc') void ask(who);
    await clock.advance(10_000);
    expect(went).toEqual([
      ['a', 300],
      ['b', 400],
      ['c', 500],
    ]);
  });

  test('delays queued callers and refuses those that would wait too long', async () => {
    const { clock, budget, went, refused, ask } = aBudget(10, 1);
    for (const who of 'abcd') void ask(who);
    await clock.advance(50);
    budget.pause('acme', 860);
    await clock.advance(20_000);
    expect(went).toEqual([
      ['a', 0],
      ['b', 910],
    ]);
    expect(refused).toEqual([
      ['c', 50],
      ['d', 50],
    ]);
  });

  test('of an hour refuses callers at once', async () => {
    const { clock, budget, refused, ask } = aBudget(10, 20);
    budget.pause('acme', 3_600_000);
    void ask('a');
    await clock.advance(0);
    expect(refused).toEqual([['a', 0]]);
    expect(clock.running()).toBe(0);
    expect(throttledMs(await thrownBy(() => budget.acquire('acme', { operation: 'x' })))).toBe(3_600_000);
  });

  test('is not shortened by a later, shorter pause', async () => {
    const { clock, budget, went, ask } = aBudget(10, 20);
    for (const forMs of [500, 100, 0]) budget.pause('acme', forMs);
    void ask('a');
    await clock.advance(10_000);
    expect(went).toEqual([['a', 500]]);
  });

  test('affects only its own connection', async () => {
    const { clock, budget, went, ask } = aBudget(10, 20);
    budget.pause('acme', 5000);
    void ask('other', undefined, 'other');
    await clock.advance(0);
    expect(went).toEqual([['other', 0]]);
  });
});

describe('resource cleanup', () => {
  test('removes idle connections', async () => {
    const { clock, budget, ask } = aBudget(10, 20);
    for (let id = 0; id < 10_000; id += 1) void ask('x', undefined, `connection-${id}`);
    await clock.advance(60_000);
    void ask('x', undefined, 'the only one');
    expect(budget.size()).toBe(1);
  });

  test.each([1, 20])('keeps the pause of a paused connection (burst %i)', async (burst) => {
    const { clock, budget, went, ask } = aBudget(10, burst);
    budget.pause('paused', 120_000);
    await clock.advance(119_500);
    void ask('x', undefined, 'another');
    expect(budget.size()).toBe(2);
    void ask('paused', undefined, 'paused');
    await clock.advance(500);
    expect(went).toContainEqual(['paused', 120_000]);
  });

  test('removes the listeners of finished callers', async () => {
    const { clock, budget, ask } = aBudget(1, 1);
    const { signal } = new AbortController();
    const impatient = new AbortController();
    for (const who of 'abc') void ask(who, signal);
    void ask('d', impatient.signal);
    await clock.advance(1000);
    impatient.abort();
    budget.pause('acme', 60_000);
    await clock.advance(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(getEventListeners(impatient.signal, 'abort')).toHaveLength(0);
    expect(clock.running()).toBe(0);
  });

  test('stops the timer of an empty queue', async () => {
    const { clock, ask } = aBudget(1, 1);
    const impatient = new AbortController();
    void ask('a');
    void ask('b', impatient.signal);
    expect(clock.running()).toBe(1);
    impatient.abort();
    expect(clock.running()).toBe(0);
    await clock.advance(0);
  });

  test('leaves no timer that keeps the process alive', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const budget = createBudget({ perSecond: 100, burst: 1 });
      const went = Promise.all(['a', 'b', 'c'].map((operation) => budget.acquire('acme', { operation })));
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(20);
      await went;
      budget.pause('acme', 60_000);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
