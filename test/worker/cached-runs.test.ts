import { expect, test } from 'vitest';
import { runsThatFit } from '../../worker/cached-runs.js';

const MB = 2 ** 20;

test.each([
  ['the worker of compose', { total: 2048 * MB, heap: 1024 * MB }, 4096],
  ['a heap that is small for its machine', { total: 24_000 * MB, heap: 512 * MB }, 2048],
  ['a small container', { total: 512 * MB, heap: 512 * MB }, 1024],
  ['hardly any memory', { total: 32 * MB, heap: 32 * MB }, 100],
])('%s caches what fits into half of its memory', (_, memory, runs) => {
  expect(runsThatFit(memory)).toBe(runs);
});

test('this process caches at least the fewest and no more than its memory', () => {
  expect(runsThatFit()).toBeGreaterThanOrEqual(100);
  expect(runsThatFit()).toBeLessThan(1_000_000);
});
