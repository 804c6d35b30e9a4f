import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFE, isFinal, isAuthorityInDoubt } from '../../domain/agreement.js';
import { fold, isState } from '../../domain/fold.js';
import { addFact } from '../../domain/fact.js';
import { aFact } from '../support/facts.js';
import type { AgreementState } from '../../domain/agreement.js';
import type { Fact } from '../../domain/fact.js';

const foldAgreement = (facts: readonly Fact[], start: AgreementState = 'pending') =>
  fold(AGREEMENT_LIFE, start, facts);
const STATES = Object.keys(AGREEMENT_LIFE.moves).filter((state) => isState(AGREEMENT_LIFE, state));
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
const TO: Record<AgreementState, string[]> = {
  pending: [],
  created: [],
  active: ['activated'],
  suspended: ['activated', 'suspended'],
  declined: ['declined'],
  expired: ['expired'],
  cancelled: ['activated', 'cancelled'],
  failed: ['failed'],
};
const NEXT: Record<AgreementState, Record<string, AgreementState>> = {
  pending: {
    activated: 'active',
    declined: 'declined',
    expired: 'expired',
    cancelled: 'cancelled',
    failed: 'failed',
  },
  created: {
    activated: 'active',
    declined: 'declined',
    expired: 'expired',
    cancelled: 'cancelled',
    failed: 'failed',
  },
  active: { suspended: 'suspended', cancelled: 'cancelled' },
  suspended: { reactivated: 'active', cancelled: 'cancelled' },
  declined: {},
  expired: {},
  cancelled: {},
  failed: {},
};

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

describe('an agreement', () => {
  for (const state of STATES) {
    for (const type of TYPES) {
      const next = NEXT[state][type];
      test(`${state} + ${type} is ${next ?? 'the same'}`, () => {
        const facts = TO[state].map((step) => aFact(step));
        expect(
          foldAgreement([...facts, aFact(type)], state === 'created' ? 'created' : 'pending').state,
        ).toBe(next ?? state);
      });
    }
  }

  test('keeps what the table does not allow as a conflict', () => {
    const late = aFact('suspended');
    expect(
      foldAgreement([aFact('declined', { publishedAt: '2026-01-01T00:00:00.000Z' }), late]),
    ).toMatchObject({
      state: 'declined',
      conflicts: [late.id],
    });
  });

  test('keeps what it does not know as unknown', () => {
    const strange = aFact('teleported');
    expect(foldAgreement([strange])).toMatchObject({
      state: 'pending',
      unknown: [strange.id],
      conflicts: [],
    });
  });

  test.each(['__proto__', 'constructor', 'toString'])('takes no move from an event named %s', (type) => {
    expect(foldAgreement([aFact(type)])).toMatchObject({ state: 'pending' });
  });

  test('says since when, by whom and why it is in its state', () => {
    const reason = { code: 'MD17', title: 'by initiator' };
    const facts = [aFact('activated'), aFact('suspended', { causedBy: 'debtor', reason })];
    expect(foldAgreement(facts)).toMatchObject({ since: facts[1]?.publishedAt, causedBy: 'debtor', reason });
  });

  test('does not move by an event whose bytes are not vouched for', () => {
    const forged = aFact('activated', { authenticated: false });
    expect(foldAgreement([forged])).toMatchObject({ state: 'pending', unconfirmed: [forged.id] });
  });

  test('is in doubt by an open question that speaks of lost authority, and by no other', () => {
    expect(isAuthorityInDoubt([aFact('cancelled')])).toBe(true);
    expect(isAuthorityInDoubt([aFact('activated'), aFact('amended')])).toBe(false);
  });

  test('moves once history vouches for an unconfirmed event', () => {
    const pushed = aFact('activated', { authenticated: false });
    const read = { ...pushed, authenticated: true, source: 'history' as const };
    expect(foldAgreement(addAll([pushed, read])).state).toBe('active');
  });

  test('takes the provider’s own state where events were missed, but never goes back to one before', () => {
    const seen = (state: string) => aFact('observed', { state, source: 'lookup' });
    expect(foldAgreement([seen('created')]).state).toBe('created');
    expect(foldAgreement([seen('active'), seen('created')]).state).toBe('active');
    expect(foldAgreement([seen('active'), seen('suspended')]).state).toBe('suspended');
    expect(foldAgreement([aFact('cancelled'), seen('active')]).state).toBe('cancelled');
  });

  test('property: any order and any repetition of the same facts folds to the same', () => {
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

  test('property: final states never move, whatever comes after', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATES.filter(isFinal)), someFacts, (state, facts) => {
        expect(foldAgreement(facts, state).state).toBe(state);
      }),
      { numRuns: 1000 },
    );
  });

  test('property: what is dropped from the front and remembered as a state changes nothing', () => {
    fc.assert(
      fc.property(someFacts, fc.nat(20), (facts, cut) => {
        const sorted = [...facts].sort((a, b) => (a.publishedAt + a.id < b.publishedAt + b.id ? -1 : 1));
        const start = foldAgreement(sorted.slice(0, cut)).state;
        expect(foldAgreement(sorted.slice(cut), start).state).toBe(foldAgreement(facts).state);
      }),
    );
  });
});
