import { expect, test } from 'vitest';
import { isAbn, isAcn } from '../../../domain/client/business-number.js';

test.each([
  ['51824753556', true],
  ['53004085616', true],
  ['51824753557', false],
  ['15824753556', false],
  ['5182475355', false],
  ['51 824 753 556', false],
  ['00000000000', false],
])('ABN %s is valid: %s', (number, isGood) => {
  expect(isAbn(number)).toBe(isGood);
});

test.each([
  ['004085616', true],
  ['010499966', true],
  ['004085617', false],
  ['040085616', false],
  ['4085616', false],
])('ACN %s is valid: %s', (number, isGood) => {
  expect(isAcn(number)).toBe(isGood);
});
