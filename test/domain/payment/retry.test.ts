import { describe, expect, test } from 'vitest';
import { nextRetryAt, refusalOfRetry, type Retryable } from '../../../domain/payment/retry.js';
import type { Fact } from '../../../domain/facts/fact.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const at = (second: number): string => new Date(Date.UTC(2026, 10, 1) + second * 1000).toISOString();
const fact = (type: string, second: number): Fact => ({
  id: `${type}-${second}`,
  type,
  publishedAt: at(second),
  receivedAt: at(second),
  source: 'webhook',
  authenticated: true,
});
const sentAt = (first: number, ...retries: number[]): Fact[] => [
  fact('failed', first + MINUTE),
  ...retries.flatMap((second) => [fact('retried', second), fact('failed', second + MINUTE)]),
];
const failed = (facts: readonly Fact[], more: Partial<Retryable> = {}): Retryable => ({
  requestedAt: at(0),
  start: 'requested',
  failure: { code: 'AM04', retryable: true },
  facts,
  ...more,
});
const hours = (...list: number[]): number[] => list.map((hour) => hour * HOUR);
const sentLate = sentAt(0, ...hours(1, 2, 3, 4)).map((one) =>
  one.id === `retried-${HOUR}` ? { ...one, detail: { sentBefore: at(0) } } : one,
);
const unsent = (second: number, code: string, from = HOUR): Fact[] => [
  ...sentAt(0),
  fact('retried', from),
  { ...fact('refused', second), reason: { code, isTemporary: true } },
];
const ELEVEN = sentAt(0, ...hours(10, 20, 30, 40, 50, 60, 70, 80, 90, 100));

// prettier-ignore
const TABLE: readonly [what: string, payment: Retryable, code: string | undefined, earliest?: string][] = [
  ['a failed payment', failed(sentAt(0)), undefined],
  ['a pending payment', failed([]), 'payment_not_failed'],
  ['a payment that settled later', failed([...sentAt(0), fact('settled', HOUR)]), 'payment_not_failed'],
  ['a final failure', failed(sentAt(0), { failure: { retryable: false } }), 'payment_not_retryable'],
  ['a failure without retry information', failed(sentAt(0), { failure: {} }), 'payment_not_retryable'],
  ['a payment that was never sent', failed([fact('refused', 9)]), 'payment_not_retryable'],
  ['four submissions today', failed(sentAt(0, ...hours(1, 2, 3))), undefined],
  ['five submissions today', failed(sentAt(0, ...hours(1, 2, 3, 4))), 'retry_too_soon', at(24 * HOUR)],
  ['five submissions today, the first long after its request', failed(sentLate, { requestedAt: at(-20 * HOUR) }), 'retry_too_soon', at(24 * HOUR)],
  ['five submissions today and one before', failed(sentAt(0, ...hours(20, 21, 22, 23, 24))), 'retry_too_soon', at(44 * HOUR)],
  ['a payment whose uid belongs to another payment', failed(sentAt(0), { isAnothers: true }), 'payment_not_retryable'],
  ['a payment whose uid may belong to another payment', failed(sentAt(0), { submission: { parkedFor: 'difference' } }), 'payment_not_retryable'],
  ['a payment with a withdrawn retry', failed(sentAt(0), { withdrawn: {} }), undefined],
  ['a payment with ten retries', failed(ELEVEN), 'retries_used_up'],
  ['a retry earlier than the provider allows', failed(sentAt(0), { retryNotBefore: at(40 * HOUR) }), 'retry_too_soon', at(40 * HOUR)],
];

describe('payment retry', () => {
  test.each(TABLE)('is judged for %s', (_what, payment, code, earliest) => {
    const now = payment.facts.at(-1)?.publishedAt ?? at(0);
    expect(refusalOfRetry(payment, now)).toEqual(
      code === undefined
        ? undefined
        : { code, detail: expect.any(String) as string, ...(earliest !== undefined && { earliest }) },
    );
    if (earliest === undefined) return;
    const before = new Date(Date.parse(earliest) - 1).toISOString();
    expect(refusalOfRetry(payment, before)?.code).toBe(code);
    expect(refusalOfRetry(payment, earliest)).toBeUndefined();
  });
});

describe('automatic payment retry', () => {
  const every = (everySeconds: number, attempts = 10): Partial<Retryable> => ({
    handling: { retry: { attempts, everySeconds } },
  });
  // prettier-ignore
  const POLICIES: readonly [what: string, payment: Retryable, at: string | undefined][] = [
    ['waits the configured time after the failure', failed(sentAt(0), every(HOUR)), at(MINUTE + HOUR)],
    ['respects the daily limit', failed(sentAt(0, ...hours(1, 2, 3, 4)), every(HOUR)), at(24 * HOUR)],
    ['respects the provider’s earliest time', failed(sentAt(0), { ...every(HOUR), retryNotBefore: at(9 * HOUR) }), at(9 * HOUR)],
    ['stops after the configured number of attempts', failed(sentAt(0, HOUR), every(HOUR, 1)), undefined],
    ['is disabled without a policy', failed(sentAt(0)), undefined],
    ['is disabled after a final failure', failed(sentAt(0), { ...every(HOUR), failure: { retryable: false } }), undefined],
    ['is disabled once a retry was withdrawn', failed(sentAt(0), { ...every(HOUR), withdrawn: {} }), undefined],
    ['is disabled if the uid belongs to another payment', failed(sentAt(0), { ...every(HOUR), isAnothers: true }), undefined],
    ['is disabled after a refused retry', failed([...sentAt(0), fact('retried', HOUR), fact('refused', HOUR + 1)], every(HOUR)), undefined],
    ['resumes at the provider’s time after a refusal as too soon', failed([...sentAt(0), fact('retried', HOUR), fact('refused', HOUR + 1)], { ...every(HOUR), retryNotBefore: at(9 * HOUR) }), at(9 * HOUR)],
    ['goes on at once after a retry that lapsed', failed(unsent(24 * HOUR, 'lapsed'), every(HOUR)), at(24 * HOUR)],
    ['goes on a day after a temporary refusal', failed(unsent(2 * HOUR, 'ZPPAY01'), every(MINUTE)), at(26 * HOUR)],
    ['ends after 40 days of temporary refusals', failed(unsent(41 * 24 * HOUR, 'lapsed', 40 * 24 * HOUR), every(HOUR)), undefined],
  ];
  test.each(POLICIES)('%s', (_what, payment, expected) => {
    expect(nextRetryAt(payment)).toBe(expected);
  });
});

test('a retry of a named attempt is refused once a later attempt has failed', () => {
  const twice = failed(sentAt(0, HOUR));
  expect(refusalOfRetry(twice, at(2 * HOUR), 2)).toBeUndefined();
  expect(refusalOfRetry(twice, at(2 * HOUR), 1)).toMatchObject({
    code: 'payment_not_retryable',
    detail: expect.stringContaining('attempt 2 has failed since') as string,
  });
});
