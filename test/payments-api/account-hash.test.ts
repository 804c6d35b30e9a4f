import { expect, test } from 'vitest';
import { accountHash } from '../../payments-api/account-hash.js';

const hashOf = (nickname?: string, abn?: string) => accountHash({ account: { nickname, abn } });

test('an account has the same hash despite spaces in its nickname or ABN', () => {
  expect(hashOf(' a-biller ', '53 004 085 616')).toBe(hashOf('a-biller', '53004085616'));
});

test('accounts have different hashes if their nickname or ABN differs or is missing', () => {
  const hashes = [
    hashOf('12345678901', '53004085616'),
    hashOf('other', '53004085616'),
    hashOf('12345678901', '51824753556'),
    hashOf('12345678901'),
    hashOf(undefined, '12345678901'),
  ];
  expect(new Set(hashes).size).toBe(5);
});

test('an account without a nickname and ABN has no hash', () => {
  expect([hashOf(' ', 'unknown'), accountHash({}), accountHash({ account: null })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
