// Waiting requests cost few statements, also while the records are away.
import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { createWatchers } from '../../records/watchers.js';

const SECOND = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aProcess() {
  const rows = new Map<string, number>();
  const versionsOf = vi.fn<(ids: Iterable<string>) => Promise<ReadonlyMap<string, number>>>(() =>
    Promise.resolve(new Map(rows)),
  );
  const away = vi.fn<(error: unknown) => void>();
  const isStale = vi.fn(() => false);
  const watchers = createWatchers({ versionsOf, onAway: away, isStale });
  const reads: string[] = [];
  const never = new AbortController();
  async function wait(workflowId: string, seconds: number): Promise<void> {
    const watcher = watchers.watch(workflowId);
    const endMs = Date.now() + seconds * SECOND;
    for (let left = endMs - Date.now(); left > 0; left = endMs - Date.now()) {
      await watcher.changed(left, never.signal);
      if (Date.now() < endMs) reads.push(workflowId);
    }
    watcher.stop();
  }
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `payment/pay-${n}`);
  return {
    ...{ rows, versionsOf, away, isStale, watchers },
    begin: (count: number, seconds = 60) => void ids(count).map((id) => wait(id, seconds)),
    goAway: () => versionsOf.mockImplementation(() => Promise.reject(new Error('connect ECONNREFUSED'))),
    comeBack: () => versionsOf.mockImplementation(() => Promise.resolve(new Map(rows))),
    after: async (seconds: number): Promise<string[]> => {
      await vi.advanceTimersByTimeAsync(seconds * SECOND);
      return reads.splice(0);
    },
  };
}

test('2,000 waits cost a statement in five seconds, and only those with a changed or new row read', async () => {
  const { begin, after, rows, versionsOf, watchers } = aProcess();
  rows.set('payment/pay-7', 1);
  begin(2000);
  expect(await after(0.1)).toHaveLength(2000);
  const before = versionsOf.mock.calls.length;
  expect(before).toBeLessThan(3);
  expect(await after(20)).toEqual([]);
  expect(versionsOf.mock.calls).toHaveLength(before + 4);
  rows.set('payment/pay-7', 2).set('payment/pay-8', 1);
  watchers.check();
  expect(await after(0.1)).toEqual(['payment/pay-7', 'payment/pay-8']);
  rows.set('payment/pay-7', 3);
  expect(await after(5)).toEqual(['payment/pay-7']);
});

test('without waits there is no statement', async () => {
  const { begin, after, versionsOf, watchers } = aProcess();
  watchers.check();
  await after(20);
  expect(versionsOf).not.toHaveBeenCalled();
  begin(3, 7);
  await after(7);
  versionsOf.mockClear();
  watchers.check();
  await after(20);
  expect(versionsOf).not.toHaveBeenCalled();
});

test('while the records are away, 2,000 waits read 20 times a second, the longest-waiting first', async () => {
  const { begin, after, goAway, comeBack, away, watchers } = aProcess();
  goAway();
  begin(2000, 300);
  await after(4.5);
  const read: string[] = [];
  for (let second = 0; second < 100; second += 1) {
    if (second % 10 === 0) watchers.check();
    const now = await after(1);
    expect(now.length).toBeLessThanOrEqual(20);
    read.push(...now);
  }
  expect(new Set(read).size).toBe(2000);
  expect(away.mock.calls.length).toBeLessThan(40);
  comeBack();
  watchers.check();
  expect(await after(0.1)).toEqual([]);
  expect((await after(100)).length).toBe(2000);
  expect(await after(20)).toEqual([]);
});

test('while the records are away, each of a few waits reads about every five seconds', async () => {
  const { begin, after, goAway } = aProcess();
  goAway();
  begin(100);
  await after(10.5);
  expect(await after(40)).toHaveLength(800);
});

test('while rows may be older than their workflows, waits read as if the records were away', async () => {
  const { begin, after, isStale } = aProcess();
  begin(100);
  expect(await after(6)).toHaveLength(100);
  isStale.mockReturnValue(true);
  expect(await after(10)).toHaveLength(200);
});
