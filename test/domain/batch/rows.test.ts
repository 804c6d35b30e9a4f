import { expect, test } from 'vitest';
import {
  countsOf,
  outcomeOfState,
  refusedRow,
  sharedOut,
  sumOf,
  type AgreementRow,
  type RowOutcome,
} from '../../../domain/batch/rows.js';
import { bytesOf } from '../../../domain/facts/retention.js';
import { anAgreement } from '../../support/api/builders.js';
import { codecOf, payloadOf } from '../../support/sealing/payloads.js';
import {
  eachUidOnce,
  resolutionRowOf,
  retryRowOf,
  type FoundPayment,
} from '../../../domain/batch/repair-rows.js';
import { blockedRows, overdueFlag } from '../../../domain/batch/blocked.js';

const AT = '2026-11-01T00:00:00.000Z';
const KIB = 1024;

const aLargeRow = (index: number): AgreementRow => {
  const { uid: _, ...mandate } = anAgreement();
  const metadata = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(600)]));
  return { kind: 'agreements', uid: `agr-${index}`, mandate: { ...mandate, metadata } };
};

const small = Array.from({ length: 10_000 }, (_, index) => ({ uid: `agr-${index}` }));
const long = (letter: string) => ({
  code: letter.repeat(500),
  pointer: letter.repeat(500),
  detail: letter.repeat(5000),
});

test.each([
  ['a thousand large agreements', Array.from({ length: 1000 }, (_, index) => aLargeRow(index)), 'd'],
  ['ten thousand small rows with refusals that JSON escapes to six bytes', small, '\u0001'],
  ['ten thousand small rows with refusals in four-byte characters', small, '\u{1F4B8}'],
])('%s are split into chunks that fit into one sealed payload', async (_, rows, letter) => {
  const runs = sharedOut<object>(rows);
  expect(runs.flat()).toEqual(rows);
  const answer = refusedRow([long(letter), long(letter), long(letter)], AT);
  expect(answer.refusals).toHaveLength(1);
  for (const run of runs) {
    expect(bytesOf(run)).toBeLessThan(100 * KIB);
    const [sealed] = await codecOf().encode([payloadOf({ run, answers: run.map(() => answer) })]);
    expect(sealed?.data?.length).toBeLessThan(256 * KIB);
  }
});

test('a row keeps its first six refusals unchanged', () => {
  const short = { code: 'terms', pointer: '/amount', detail: 'the maximum amount is 100.00, met 120.00' };
  expect(
    refusedRow(
      Array.from({ length: 9 }, () => short),
      AT,
    ).refusals,
  ).toEqual(Array.from({ length: 6 }, () => short));
});

test.each<['agreements' | 'payments', string, string | undefined, RowOutcome]>([
  ['agreements', 'pending', 'provider-acceptance', 'started'],
  ['agreements', 'pending', 'operator', 'blocked'],
  ['agreements', 'created', 'payer-decision', 'done'],
  ['agreements', 'failed', 'nothing', 'failed'],
  ['payments', 'requested', 'stop', 'blocked'],
  ['payments', 'requested', 'agreement', 'started'],
  ['payments', 'requested', 'reauthorisation', 'blocked'],
  ['payments', 'requested', 'operator', 'blocked'],
  ['payments', 'lapsed', 'nothing', 'failed'],
  ['payments', 'created', 'settlement', 'done'],
])('a row of %s in state %s that awaits %s counts as %s', (kind, state, awaiting, outcome) => {
  expect(outcomeOfState(kind, state, awaiting)).toBe(outcome);
});

test('rows are counted by outcome across chunks', () => {
  const done = { outcome: 'done', at: AT } as const;
  expect(countsOf([done, null, done])).toEqual({ done: 2, waiting: 1 });
  expect(sumOf([countsOf([done, null]), countsOf([done])])).toEqual({ waiting: 1, done: 2 });
});

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

const SINCE = '2026-11-01T00:00:00.000Z';
const rows = (count: number, since = SINCE) =>
  Array.from({ length: count }, (_, index) => ({ uid: `pay-${index}`, since }));

test('rows blocked for a day raise a flag that names twenty of them', () => {
  const chunks = [blockedRows(rows(30)), blockedRows([{ uid: 'late', since: '2026-11-01T12:00:00.000Z' }])];
  expect(overdueFlag(chunks, '2026-11-01T23:59:59.000Z')).toBeUndefined();
  const flag = overdueFlag(chunks, '2026-11-02T00:00:00.000Z');
  expect(flag).toMatchObject({ code: 'overdue', since: '2026-11-02T00:00:00.000Z' });
  expect(flag?.detail).toContain('pay-0, pay-1, ');
  expect(flag?.detail).toMatch(/pay-19, and 11 more\.$/);
});

test('the flag names a single blocked row without a count', () => {
  expect(overdueFlag([blockedRows(rows(1))], '2026-11-03T00:00:00.000Z')?.detail).toMatch(/stop: pay-0\.$/);
});
