import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  PAYMENT_LIFECYCLE,
  isPaymentFinal,
  showsTheSame,
  type PaymentLifecycleState,
} from '../../../domain/payment/lifecycle.js';
import { fold, isState } from '../../../domain/facts/fold.js';
import { addFact, type Fact } from '../../../domain/facts/fact.js';
import { aFact } from '../../support/facts.js';

const foldPayment = (facts: readonly Fact[], start: PaymentLifecycleState = 'requested') =>
  fold(PAYMENT_LIFECYCLE, start, facts);
const STATES = Object.keys(PAYMENT_LIFECYCLE.moves).filter((state) => isState(PAYMENT_LIFECYCLE, state));
const PUBLISHED = ['pending', 'under_investigation', 'settled', 'failed'];
const LOCAL: Readonly<Record<string, Partial<Record<PaymentLifecycleState, PaymentLifecycleState>>>> = {
  refused: { requested: 'failed', retrying: 'failed' },
  lapsed: { requested: 'lapsed' },
  withdrawn: { requested: 'withdrawn' },
  unresolved: { requested: 'unresolved', retrying: 'unresolved' },
  retried: { failed: 'retrying' },
};
const TYPES = [...PUBLISHED, ...Object.keys(LOCAL)];

function expected(state: PaymentLifecycleState, type: string): PaymentLifecycleState {
  const published = isState(PAYMENT_LIFECYCLE, type) && PUBLISHED.includes(type) ? type : undefined;
  return LOCAL[type]?.[state] ?? (state === 'settled' ? state : (published ?? state));
}

describe('payment lifecycle', () => {
  for (const state of STATES) {
    for (const type of TYPES) {
      test(`${state} + ${type} is ${expected(state, type)}`, () => {
        expect(foldPayment([aFact(type)], state).state).toBe(expected(state, type));
      });
    }
  }

  test('final states are settled, failed, never sent and unresolved', () => {
    const ends = ['settled', 'failed', 'lapsed', 'withdrawn', 'unresolved'];
    expect(STATES.filter(isPaymentFinal)).toEqual(ends);
  });

  test('a look-up that shows the payment overrides an earlier refusal', () => {
    const [refused, created] = [aFact('refused'), aFact('observed', { state: 'created' })];
    expect(foldPayment([{ ...created, publishedAt: '2026-01-01T00:00:00.000Z' }, refused])).toMatchObject({
      state: 'created',
      conflicts: [refused.id],
    });
  });

  test('property: order and repetition change nothing, and settled is final', () => {
    const fact = fc
      .record({
        id: fc.nat(20),
        at: fc.nat(9),
        type: fc.constantFrom(...TYPES, 'observed', 'unheard of'),
        state: fc.constantFrom(...STATES),
      })
      .map(({ id, at, type, state }) => {
        const publishedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
        return aFact(type, { id: `f${id}`, publishedAt, ...(type === 'observed' ? { state } : {}) });
      });
    const facts = fc.uniqueArray(fact, { selector: ({ id }) => id, maxLength: 12 });
    const mixed = facts.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
    );
    fc.assert(
      fc.property(mixed, fc.constant<PaymentLifecycleState>('settled'), ([list, shuffled], final) => {
        const received = shuffled.reduce<typeof list>((known, one) => addFact(known, one).facts, []);
        expect(foldPayment(received)).toEqual(foldPayment(list));
        expect(foldPayment(list, final).state).toBe(final);
      }),
      { numRuns: 1000 },
    );
  });
});

test('submitting counts as created and differs from every other state', () => {
  expect(showsTheSame('submitting', 'created')).toBe(true);
  const others = STATES.filter((state) => state !== 'created' && state !== 'submitting');
  for (const state of others) {
    expect(showsTheSame(state, state)).toBe(true);
    expect(showsTheSame(state, 'created')).toBe(false);
    expect(showsTheSame('submitting', state)).toBe(false);
  }
});
