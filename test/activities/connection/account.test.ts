import { expect, test } from 'vitest';
import { accountHash } from '../../../activities/connection/account.js';

const hashOf = (nickname?: string, abn?: string) => accountHash({ account: { nickname, abn } });

test('an account is recognised whatever the spaces around its nickname and within its ABN', () => {
  expect(hashOf(' a-biller ', '53 004 085 616')).toBe(hashOf('a-biller', '53004085616'));
});

test('another nickname, another ABN, and either alone are each another account', () => {
  const hashes = [
    hashOf('12345678901', '53004085616'),
    hashOf('other', '53004085616'),
    hashOf('12345678901', '51824753556'),
    hashOf('12345678901'),
    hashOf(undefined, '12345678901'),
  ];
  expect(new Set(hashes).size).toBe(5);
});

test('an account with neither, or none at all, has no hash', () => {
  expect([hashOf(' ', 'unknown'), accountHash({}), accountHash({ account: null })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
