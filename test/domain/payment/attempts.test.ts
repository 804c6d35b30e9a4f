import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wasSent, attemptsOf, failuresIn } from '../../../domain/payment/attempts.js';
import { addFact, type Fact } from '../../../domain/facts/fact.js';
import { fold } from '../../../domain/facts/fold.js';
import { PAYMENT_LIFECYCLE } from '../../../domain/payment/lifecycle.js';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 1, 0, 0, second)).toISOString();
const base = { source: 'webhook', authenticated: true } as const;
const fact = (type: string, second: number, more: Partial<Fact> = {}): Fact => ({
  ...base,
  id: `${type}-${second}`,
  type,
  publishedAt: at(second),
  receivedAt: at(second),
  ...more,
});
const event = (type: string, second: number, code?: string): Fact =>
  fact(type, second, code === undefined ? {} : { detail: { failure: { code, retryable: true } } });
const shown = (state: string, second: number): Fact =>
  fact('observed', second, { id: `shown-${state}-${second}`, state, source: 'lookup' });
const retried = (second: number): Fact => fact('retried', second, { source: 'command' });
const attempts = (facts: readonly Fact[]) => attemptsOf({ requestedAt: at(0), facts, start: 'requested' });
const inShort = (facts: readonly Fact[]): string =>
  attempts(facts)
    .map(({ n, state, failure }) => `${n} ${state}${failure?.code === undefined ? '' : ` ${failure.code}`}`)
    .join(', ');

// prettier-ignore
const TABLE: readonly [what: string, facts: readonly Fact[], expected: string][] = [
  ['a settled payment', [event('settled', 9)], '1 settled'],
  ['a failed payment', [event('failed', 9, 'AM04')], '1 failed AM04'],
  ['a pending retry', [event('failed', 9, 'AM04'), retried(10)], '1 failed AM04, 2 retrying'],
  ['a settled retry', [event('failed', 9), retried(10), event('settled', 20)], '1 failed, 2 settled'],
  ['a failed retry', [event('failed', 9, 'AM04'), retried(10), event('failed', 20, 'TM01')], '1 failed AM04, 2 failed TM01'],
  ['a repeat of the first failure', [event('failed', 9), retried(10), event('failed', 9)], '1 failed, 2 retrying'],
  ['a late event of the first attempt', [event('failed', 9), retried(10), event('pending', 5)], '1 failed, 2 retrying'],
  ['a first failure seen by look-up and published late', [shown('failed', 3), retried(4), event('failed', 9, 'AM04')], '1 failed, 2 retrying'],
  ['a late first failure followed by a failed retry', [shown('failed', 3), retried(4), event('failed', 9), event('failed', 20, 'TM01')], '1 failed, 2 failed TM01'],
  ['a late first failure followed by a look-up of the failed retry', [shown('failed', 3), retried(4), event('failed', 9), shown('failed', 10)], '1 failed, 2 failed'],
  ['two failures seen by look-up and published late', [shown('failed', 3), retried(4), shown('failed', 5), retried(6), event('failed', 9), event('failed', 20)], '1 failed, 2 failed, 3 retrying'],
  ['a retry that the provider refused', [event('failed', 9), retried(10), fact('refused', 11, { reason: { code: 'ZPPRY03' } })], '1 failed, 2 failed ZPPRY03'],
  ['a refusal that a later event contradicts', [fact('refused', 9, { reason: { code: 'ZPPAY17' } }), event('failed', 20, 'AM04')], '1 failed AM04'],
  ['a retry of a payment that has settled', [event('failed', 9), event('settled', 10), retried(11)], '1 settled'],
  ['an unauthenticated failure', [event('failed', 9), retried(10), fact('failed', 20, { authenticated: false })], '1 failed, 2 retrying'],
];

describe('payment attempts', () => {
  test.each(TABLE)('are derived for %s', (_what, facts, expected) => {
    expect(inShort(facts)).toBe(expected);
    expect(inShort([...facts].reverse())).toBe(expected);
  });

  test('have start and end times and mark unsent attempts', () => {
    const refused = fact('refused', 11, { reason: { code: 'ZPPRY03' } });
    const all = attempts([event('failed', 9), retried(10), refused]);
    expect(all).toEqual([
      { n: 1, startedAt: at(0), state: 'failed', endedAt: at(9), endReceivedAt: at(9) },
      {
        n: 2,
        startedAt: at(10),
        state: 'failed',
        endedAt: at(11),
        endReceivedAt: at(11),
        isUnsent: true,
        failure: { code: 'ZPPRY03' },
      },
    ]);
    expect(failuresIn(all)).toBe(1);
  });

  test('continue from older attempts whose facts were dropped', () => {
    const facts = [event('failed', 9), retried(10), event('pending', 12), event('failed', 20), retried(21)];
    const { state } = fold(PAYMENT_LIFECYCLE, 'requested', facts.slice(0, 3));
    const olderAttempts = attempts(facts.slice(0, 3));
    const resumed = attemptsOf({ requestedAt: at(0), facts: facts.slice(3), start: state, olderAttempts });
    expect(resumed).toEqual(attempts(facts));
  });

  test('property: order and repetition change nothing, and the last attempt has the payment’s state', () => {
    const someFact = fc
      .tuple(fc.constantFrom('pending', 'settled', 'failed', 'failed', 'retried', 'shown'), fc.nat(30))
      .map(([type, second]) => (type === 'shown' ? shown('failed', second) : event(type, second)));
    const facts = fc.uniqueArray(someFact, { selector: ({ id }) => id, maxLength: 12 });
    fc.assert(
      fc.property(
        facts.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list]))),
        ([list, shuffled]) => {
          const received = [...shuffled, ...list].reduce<Fact[]>(
            (known, one) => addFact(known, one).facts,
            [],
          );
          expect(attempts(received)).toEqual(attempts(list));
          expect(attempts(list).at(-1)?.state).toBe(fold(PAYMENT_LIFECYCLE, 'requested', list).state);
        },
      ),
    );
  });
});

test.each([
  ['requested', {}, undefined],
  ['retrying', {}, undefined],
  ['requested', { isSubmitted: true }, true],
  ['failed', { isUnsent: true, isSubmitted: true }, false],
  ['failed', {}, true],
  ['pending', {}, true],
] as const)('an attempt that is %s with %j was sent: %s', (state, more, sent) => {
  expect(wasSent({ n: 1, startedAt: '2026-10-01T01:00:00.000Z', state, ...more })).toBe(sent);
});
