import { expect, test } from 'vitest';
import { medianOf, medianRatio } from '../../../bench/rate/table.js';

test('the median of an even number of values is the mean of the middle two', () => {
  expect(medianOf([9, 1, 3])).toBe(3);
  expect(medianOf([9, 1, 3, 4])).toBe(3.5);
});

test('a ratio compares legs of the same pair only', () => {
  const bare = [10, 40, 30];
  const product = [20, 40, 90];
  expect(medianRatio(bare, product, (ms) => ms)).toBe(0.5);
});
