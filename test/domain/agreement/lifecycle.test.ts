import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AGREEMENT_LIFECYCLE,
  isAuthorityInDoubt,
  type AgreementLifecycleState,
} from '../../../domain/agreement/lifecycle.js';
import { fold, isState } from '../../../domain/facts/fold.js';
import { addFact, type Fact } from '../../../domain/facts/fact.js';
import { aFact } from '../../support/facts.js';

const foldAgreement = (facts: readonly Fact[], start: AgreementLifecycleState = 'pending') =>
  fold(AGREEMENT_LIFECYCLE, start, facts);
const STATES = Object.keys(AGREEMENT_LIFECYCLE.moves).filter((state) => isState(AGREEMENT_LIFECYCLE, state));
const TYPES = [
  'activated',
  'declined',
  'expired',
  'cancelled',
  'failed',
  'suspended',
  'reactivated',
  'amended',
  'never heard of',
];
const someFacts = fc
  .array(
    fc.record({
      id: fc.integer({ min: 0, max: 30 }),
      at: fc.integer({ min: 0, max: 20 }),
      type: fc.constantFrom(...TYPES),
      observed: fc.constantFrom(undefined, ...STATES, 'a state never heard of'),
      authenticated: fc.boolean(),
    }),
    { maxLength: 20 },
  )
  .map((list) =>
    [...new Map(list.map((entry) => [entry.id, entry])).values()].map(
      ({ id, at, type, observed, authenticated }): Fact => {
        const publishedAt = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
        const seen = observed === undefined ? {} : { type: 'observed', state: observed, authenticated: true };
        return {
          id: `f${id}`,
          type,
          publishedAt,
          receivedAt: publishedAt,
          source: 'webhook',
          authenticated,
          ...seen,
        };
      },
    ),
  );

const addAll = (facts: readonly Fact[]): Fact[] =>
  facts.reduce<Fact[]>((known, fact) => addFact(known, fact).facts, []);

describe('agreement lifecycle', () => {
  test.each(['__proto__', 'constructor', 'toString'])('ignores an event named %s', (type) => {
    expect(foldAgreement([aFact(type)])).toMatchObject({ state: 'pending' });
  });

  test('gives the time, cause and reason of the current state', () => {
    const reason = { code: 'MD17', title: 'by initiator' };
    const facts = [aFact('activated'), aFact('suspended', { causedBy: 'debtor', reason })];
    expect(foldAgreement(facts)).toMatchObject({ since: facts[1]?.publishedAt, causedBy: 'debtor', reason });
  });

  test('doubts the authority only after an event that ends it', () => {
    expect(isAuthorityInDoubt([aFact('cancelled')])).toBe(true);
    expect(isAuthorityInDoubt([aFact('activated'), aFact('amended')])).toBe(false);
  });

  test('moves when history authenticates an unconfirmed event', () => {
    const pushed = aFact('activated', { authenticated: false });
    const read = { ...pushed, authenticated: true, source: 'history' as const };
    expect(foldAgreement(addAll([pushed, read])).state).toBe('active');
  });

  test('property: order and repetition of facts do not change the state', () => {
    const shuffled = someFacts.chain((facts) =>
      fc.tuple(
        fc.constant(facts),
        fc.shuffledSubarray([...facts, ...facts], {
          minLength: facts.length * 2,
          maxLength: facts.length * 2,
        }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([facts, mixed]) => {
        expect(foldAgreement(addAll(mixed))).toEqual(foldAgreement(addAll(facts)));
      }),
      { numRuns: 2000 },
    );
  });

  test('property: replacing the oldest facts by their state changes nothing', () => {
    fc.assert(
      fc.property(someFacts, fc.nat(20), (facts, cut) => {
        const sorted = [...facts].sort((a, b) => (a.publishedAt + a.id < b.publishedAt + b.id ? -1 : 1));
        const start = foldAgreement(sorted.slice(0, cut)).state;
        expect(foldAgreement(sorted.slice(cut), start).state).toBe(foldAgreement(facts).state);
      }),
    );
  });
});
