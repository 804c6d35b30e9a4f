import { expect, test } from 'vitest';
import { parseOptions } from '../../../bench/rate/options.js';

test('a second build adds a leg, and legs run in a fixed order', () => {
  expect(parseOptions([]).legs).toEqual(['product', 'bare', 'duties', 'empty']);
  expect(parseOptions(['--other', '/p', '--only', 'bare,other']).legs).toEqual(['other', 'bare']);
  expect(() => parseOptions(['--only', 'other'])).toThrow('--only: expected some of product');
  expect(() => parseOptions(['--lives', '0'])).toThrow('--lives: expected a whole number');
});
