// A sweep finds each difference between our resources and the provider’s, also after an interruption.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  BEGINNING,
  SETTINGS,
  aPage,
  aSweep,
  refused,
  type Over,
  type Page,
  type Pages,
} from '../../support/a-sweep.js';
import { failure } from '../../support/workflows/provider.js';

describe('interrupted sweep', () => {
  test('resumes after the last page and still finds agreements missing from all pages', async () => {
    let fails = 1;
    const second = aPage({ 'agr-3': 'active' });
    const { attempt, read, asked, signalled } = aSweep(
      {
        [BEGINNING]: aPage({ 'agr-1': 'active', 'agr-2': 'active' }, 'second'),
        second: () => (fails-- > 0 ? refused('unavailable')() : second()),
      },
      { 'agr-1': 'active', 'agr-3': 'active', 'agr-lost': 'active', 'agr-over': 'active' },
      { there: { 'agr-over': 'cancelled' } },
    );
    await expect(attempt()).rejects.toMatchObject({ type: 'unavailable', nonRetryable: false });
    expect(await attempt()).toMatchObject({
      ...{ listed: 4, equal: 2, unknownHere: 1, differing: 1, pages: 2, requested: 2, missingThere: 1 },
      named: { unknownHere: ['agr-2'], missingThere: ['agr-lost'], differing: ['agr-over'] },
    });
    expect(read).toEqual([BEGINNING, 'second', 'second']);
    expect(asked).toEqual(['agr-lost', 'agr-over']);
    expect(signalled).toEqual(['agreement/agr-over']);
  });

  test('restarts if the provider refuses its cursor', async () => {
    let refuses = 1;
    const second = aPage({ 'agr-2': 'active' });
    const { attempt, read } = aSweep({
      [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'),
      second: () => (refuses-- > 0 ? refused('rejected')() : second()),
    });
    await expect(attempt()).rejects.toMatchObject({ type: 'rejected' });
    expect(await attempt()).toMatchObject({ listed: 2, pages: 2, missingThere: 0 });
    expect(read).toEqual([BEGINNING, 'second', BEGINNING, 'second']);
  });

  test('waits for the configured pace before each request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pages = {
      [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'),
      second: aPage({ 'agr-2': 'suspended' }, 'third'),
    };
    const sweep = { ...SETTINGS, paceMs: 4000 };
    const { attempt, read, signalled } = aSweep(pages, { 'agr-2': 'active' }, { sweep });
    const pass = async (ms: number): Promise<void> => {
      await vi.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    };
    const report = attempt();
    await pass(0);
    await pass(3999);
    expect(read).toEqual([BEGINNING]);
    await pass(1);
    expect(read).toEqual([BEGINNING, 'second']);
    expect(signalled).toEqual(['agreement/agr-2']);
    await pass(7999);
    await pass(3999);
    expect(read).toHaveLength(2);
    await pass(1);
    await pass(1);
    expect(await report).toMatchObject({ pages: 3 });
  });
});

describe('sweep without authority', () => {
  test('reports missing consent and makes no requests', async () => {
    const withAccess = () => Promise.reject(failure('needs_reauthorisation'));
    const { attempt, read } = aSweep({}, {}, { withAccess });
    expect(await attempt()).toMatchObject({ stopped: 'needs_reauthorisation', listed: 0, pages: 0 });
    expect(read).toEqual([]);
  });

  test('reports a missing scope and keeps the pages that it has read', async () => {
    const { attempt } = aSweep({
      [BEGINNING]: aPage({ 'agr-1': 'active' }, 'second'),
      second: refused('forbidden'),
    });
    const report = await attempt();
    expect(report).toMatchObject({ stopped: 'forbidden', listed: 1, unknownHere: 1, pages: 1 });
    expect(report.missingThere).toBeUndefined();
  });
});

describe('sweep of hostile lists', () => {
  const HOSTILE = {
    "x') OR WorkflowType = 'connection' OR WorkflowId IN ('y": 'active',
    '..': 'active',
    ['a'.repeat(65)]: 'active',
    '': 'active',
    'agr-none': 'unknown',
    'agr-long': 'a'.repeat(100_000),
    'agr-words': 'Active, they say',
  };

  test('counts unreadable entries without signalling them or putting them into queries', async () => {
    const pages = {
      [BEGINNING]: aPage(HOSTILE, 'second', 2),
      second: aPage(Object.fromEntries([['__proto__', 'frozen']])),
    };
    const sweep = { ...SETTINGS, adopts: true };
    const { attempt, queries, signalled } = aSweep(pages, {}, { sweep });
    const report = await attempt();
    expect(report).toMatchObject({ listed: 10, unreadable: 9, adopted: 1, differences: [] });
    expect(report.named).toEqual({ adopted: ['__proto__'] });
    expect(signalled).toEqual(['agreement/__proto__']);
    expect(JSON.stringify(report)).not.toContain('OR WorkflowType');
    expect(queries).toEqual([]);
  });

  test.each([
    ['with a repeated cursor', () => 'second'],
    ['with endless new cursors', (from: number) => `page ${from}`],
  ])('stops at a list %s and reports it as endless', async (_what, next) => {
    let from = 0;
    const again = (): Promise<Page> => aPage({ 'agr-1': 'active', 'agr-2': 'active' }, next((from += 1)))();
    const pages = new Proxy<Pages>({}, { get: () => again, getOwnPropertyDescriptor: () => undefined });
    const { attempt, read } = aSweep(pages, { 'agr-2': 'active', 'agr-3': 'active' });
    const report = await attempt();
    expect(report).toMatchObject({ stopped: 'endless_list', listed: 2, unknownHere: 1, equal: 1 });
    expect(report.missingThere).toBeUndefined();
    expect(read.length).toBeLessThan(20);
  });
});

describe('sweep of payments', () => {
  const sweepOf = (pages: Pages, tracked: Readonly<Record<string, string>>, over: Over = {}) =>
    aSweep(pages, tracked, { type: 'payment', ...over });

  test('compares payments by state and date, and looks up older ones', async () => {
    const { attempt, signalled, asked, read } = sweepOf(
      {
        created: aPage({ 'pay-moving': 'pending', 'pay-unknown': 'created' }),
        settled: aPage({ 'pay-settled': 'settled', 'pay-forgotten': 'failed', 'pay-known': 'settled' }),
      },
      { 'pay-moving': 'submitting', 'pay-settled': 'pending', 'pay-known': 'settled', 'pay-old': 'pending' },
      { there: { 'pay-old': 'failed' } },
    );
    expect(await attempt()).toMatchObject({
      ...{
        listed: 6,
        pages: 2,
        requested: 1,
        equal: 2,
        differing: 2,
        unknownHere: 1,
        over: 1,
        missingThere: 0,
      },
      named: { differing: ['pay-settled', 'pay-old'], unknownHere: ['pay-unknown'] },
    });
    expect(signalled).toEqual(['payment/pay-settled', 'payment/pay-old']);
    expect(asked).toEqual(['pay-old']);
    expect(read).toHaveLength(2);
  });

  test('adopts unknown payments if configured', async () => {
    const pages = { created: aPage({ 'pay-unknown': 'pending' }), settled: aPage({ 'pay-over': 'settled' }) };
    const { attempt, signalled } = sweepOf(pages, {}, { sweep: { ...SETTINGS, adopts: true } });
    expect(await attempt()).toMatchObject({ adopted: 1, over: 1 });
    expect(signalled).toEqual(['payment/pay-unknown']);
  });
});

describe('sweep of refunds', () => {
  test('compares refunds by date, and looks up older ones', async () => {
    const { attempt, signalled, asked, read } = aSweep(
      {
        [BEGINNING]: aPage({
          'ref-moving': 'processing',
          'ref-done': 'processed',
          'ref-unknown': 'created',
          'ref-other': 'failed',
        }),
      },
      { 'ref-moving': 'created', 'ref-done': 'processing', 'ref-old': 'processing', 'ref-gone': 'created' },
      { type: 'refund', there: { 'ref-old': 'failed' } },
    );
    expect(await attempt()).toMatchObject({
      ...{ listed: 5, pages: 1, requested: 2, equal: 1, differing: 2, unknownHere: 1, over: 1 },
      named: { differing: ['ref-done', 'ref-old'], missingThere: ['ref-gone'] },
    });
    expect(signalled).toEqual(['refund/ref-done', 'refund/ref-old']);
    expect(asked).toEqual(['ref-gone', 'ref-old']);
    expect(read).toHaveLength(1);
  });
});

describe('sweep of a large account', () => {
  const MANY = 20_000;
  const uids = Array.from({ length: MANY }, (_, index) => `agr-${index}`);
  const tracked = Object.fromEntries(uids.map((uid) => [uid, 'active']));
  const LISTED = Object.fromEntries(
    Array.from({ length: MANY / 100 }, (_, index) => [
      index === 0 ? BEGINNING : `${index}`,
      aPage(
        Object.fromEntries(uids.slice(index * 100, index * 100 + 100).map((uid) => [uid, 'active'])),
        index === MANY / 100 - 1 ? undefined : `${index + 1}`,
      ),
    ]),
  );

  test('makes one request per 100 agreements and never blocks for over 500 rows', async () => {
    let inThisTurn = 0;
    let most = 0;
    const onRow = (): void => void (most = Math.max(most, (inThisTurn += 1)));
    const { attempt, read, asked } = aSweep(LISTED, tracked, { onRow });
    let isOver = false;
    const turns = async (): Promise<void> => {
      while (!isOver) {
        inThisTurn = 0;
        await setImmediate();
      }
    };
    const counting = turns();
    const report = await attempt();
    isOver = true;
    await counting;
    expect(report).toMatchObject({ equal: MANY, missingThere: 0 });
    expect(read.length + asked.length).toBeLessThanOrEqual(210);
    expect(most).toBeLessThanOrEqual(500);
  });

  test('restarts if the interrupted attempt could not store the missing agreements', async () => {
    let fails = 1;
    const second = LISTED['1'] ?? aPage({});
    const pages = { ...LISTED, '1': () => (fails-- > 0 ? refused('unavailable')() : second()) };
    const { attempt } = aSweep(
      pages,
      { ...tracked, 'agr-over': 'active' },
      { there: { 'agr-over': 'expired' } },
    );
    await expect(attempt()).rejects.toMatchObject({ type: 'unavailable' });
    expect(await attempt()).toMatchObject({ listed: MANY + 1, pages: 200, differing: 1, missingThere: 0 });
  });
});

test('a list is read in full if the provider refuses to filter it by state', async () => {
  const pages = { pending: refused('rejected'), whole: aPage({ 'agr-1': 'cancelled', 'agr-2': 'active' }) };
  const { attempt, signalled } = aSweep(pages, { 'agr-1': 'active', 'agr-2': 'active' });
  await expect(attempt()).rejects.toMatchObject({ type: 'rejected' });
  expect(await attempt()).toMatchObject({ listed: 2, equal: 1, differing: 1, requested: 0 });
  expect(signalled).toEqual(['agreement/agr-1']);
});
