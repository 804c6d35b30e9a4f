import { expect, test } from 'vitest';
import {
  eachUidOnce,
  resolutionRowOf,
  retryRowOf,
  type FoundPayment,
} from '../../../domain/batch/repair-rows.js';

const NOW = '2026-11-12T03:00:00.000Z';
const attemptAt = (n: number, startedAt: string) => ({ n, startedAt, state: 'failed' as const });
const aFailed = (over: Partial<FoundPayment> = {}): FoundPayment => ({
  ...{ uid: 'pay-1', state: 'failed', order: { amount: 4200 } },
  attempts: [attemptAt(1, '2026-11-11T00:00:00.000Z'), attemptAt(2, '2026-11-11T01:00:00.000Z')],
  failure: { code: 'AM04', retryable: true },
  ...over,
});

test('the row of a failed payment names its latest attempt and its cents', () => {
  expect(retryRowOf(aFailed(), NOW)).toEqual({
    row: { kind: 'retries', uid: 'pay-1', attempt: 2, amount: 4200 },
    refusals: [],
  });
});

test.each<[string, Partial<FoundPayment>, string]>([
  ['settled since', { state: 'settled' }, 'payment_not_failed'],
  ['not retryable', { failure: { code: 'AC04', retryable: false } }, 'payment_not_retryable'],
  ['never sent', { attempts: [{ ...attemptAt(1, NOW), isUnsent: true }] }, 'payment_not_retryable'],
  [
    'retried too often',
    { attempts: Array.from({ length: 11 }, (_, n) => attemptAt(n + 1, '2026-10-01T00:00:00.000Z')) },
    'retries_used_up',
  ],
  [
    'sent five times today',
    { attempts: Array.from({ length: 5 }, (_, n) => attemptAt(n + 1, NOW)) },
    'retry_too_soon',
  ],
])('a payment that is %s is refused', (_, over, code) => {
  expect(retryRowOf(aFailed(over), NOW).refusals).toMatchObject([{ code }]);
});

const aParked = {
  ...{ uid: 'x-1', state: 'requested', order: { amount: 100 }, awaiting: { what: 'operator' } },
  attention: [{ code: 'parked' as const, since: NOW, detail: '', next: '' }],
};

test('the row of a flag names when it was raised', () => {
  expect(resolutionRowOf(aParked, { resource: 'payment', flag: 'parked' })).toEqual({
    row: { kind: 'resolutions', uid: 'x-1', resource: 'payment', since: NOW, amount: 100 },
    refusals: [],
  });
});

test.each([
  ['a flag that is gone', { ...aParked, attention: [] }, 'no_such_attention'],
  ['an ended resource', { ...aParked, state: 'settled', awaiting: { what: 'nothing' } }, 'payment_final'],
])('%s is refused', (_, found, code) => {
  const { refusals } = resolutionRowOf(found, { resource: 'payment', flag: 'parked' });
  expect(refusals).toMatchObject([{ code }]);
});

test('of two resources with the same uid, only the first is repaired', () => {
  const rows = (['payment', 'refund'] as const).map((resource) =>
    resolutionRowOf(aParked, { resource, flag: 'parked' }),
  );
  expect(eachUidOnce(rows).map(({ refusals }) => refusals.map(({ code }) => code))).toEqual([
    [],
    ['uid_twice'],
  ]);
});
