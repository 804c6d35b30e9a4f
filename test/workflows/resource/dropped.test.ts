import { REFUND } from '../../../workflows/refund/definition.js';
import { describe, expect, test } from 'vitest';
import { attemptsOf } from '../../../domain/payment/attempts.js';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import * as followed from '../../../workflows/resource/state.js';
import * as agreements from '../../../workflows/agreement/state.js';
import * as payments from '../../../workflows/payment/state.js';
import * as refunds from '../../../workflows/refund/state.js';
import { aFact } from '../../support/facts.js';
import { NOW, active, received, some } from '../../support/workflows/agreement-states.js';
import { anOrder } from '../../support/workflows/provider.js';
import type { Fact } from '../../../domain/facts/fact.js';

const events = some(300, 'pending', { isChecked: true });
const at = (time: string): string => `2026-12-01T10:00:${time}Z`;
const ofOne = (time: string, over: Partial<Fact> = {}): Fact =>
  aFact('settled', { publishedAt: at(time), ...over });

const payment = payments.newPayment({ uid: 'p', connectionId: 'c', order: anOrder('agr') }, NOW);
const refund = refunds.newRefund({ uid: 'r', connectionId: 'c', order: undefined }, NOW);
const carriedPayment = payments.stateToCarry(events.reduce(payments.applyFact, payment));
const carriedRefund = REFUND.toCarry(events.reduce(refunds.applyFact, refund));

describe.each([
  ['a payment', carriedPayment, (fact: Fact) => payments.applyFact(carriedPayment, fact)],
  ['a refund', carriedRefund, (fact: Fact) => refunds.applyFact(carriedRefund, fact)],
] as const)('dropped facts of %s', (_, carried, record) => {
  test('an unknown older event causes a look-up and changes no state', () => {
    const late = aFact('failed', { publishedAt: events[0]?.publishedAt ?? NOW });
    const noted = record(late);
    expect(noted).toMatchObject({ facts: carried.facts, isLookUpDue: true });
    expect(noted).not.toHaveProperty('failure.code');
    expect(followed.storeFact(noted, late)).toBe(noted);
  });

  test('a duplicate of a dropped event changes nothing', () => {
    expect(events.filter((fact) => record(fact) !== carried)).toEqual([]);
  });
});

describe('dropped unauthenticated events', () => {
  const claimed = some(600, 'cancelled', { authenticated: false, publishedAt: '2099-01-01T00:00:00.000Z' });
  const carried = agreements.stateToCarry(received(active, claimed));

  test('their times do not make a later event count as old', () => {
    const suspended = aFact('suspended');
    expect(agreements.stateOf(agreements.applyFact(carried, suspended))).toBe('suspended');
  });

  test('a duplicate changes nothing and an authenticated copy counts', () => {
    const dropped = claimed[0] ?? aFact('cancelled');
    expect(carried.facts).not.toContainEqual(dropped);
    expect(agreements.applyFact(carried, dropped)).toBe(carried);
    const confirmed = agreements.applyFact(carried, { ...dropped, authenticated: true });
    expect(agreements.stateOf(confirmed)).toBe('cancelled');
  });
});

test('each attempt keeps its own failure after its facts are dropped', () => {
  const noted = (count: number) => some(count, 'attention_resolved', { source: 'command' });
  const first = [aFact('failed'), ...noted(60), aFact('retried', { source: 'command' })];
  const newest = aFact('failed', { detail: { failure: { code: 'NEWEST' } } });
  const second = [aFact('pending'), ...noted(190), { ...newest, publishedAt: '2026-12-01T00:00:00.000Z' }];
  const known = [...first, ...second];
  const long = known.reduce(payments.applyFact, payment);
  const codes = (state: payments.PaymentState) => attemptsOf(state).map(({ failure }) => failure?.code);
  expect(codes(long)).toEqual([undefined, 'NEWEST']);
  expect(codes(payments.stateToCarry(long))).toEqual([undefined, 'NEWEST']);
});

test('an old event of a different resource causes no look-up', () => {
  const late = aFact('settled', { publishedAt: events[0]?.publishedAt ?? NOW });
  const noted = payments.applyFact({ ...carriedPayment, isAnothers: true }, late);
  expect(noted).toMatchObject({ facts: carriedPayment.facts, isLookUpDue: false });
});

describe('dropped period', () => {
  const dropping = { droppedUntil: at('05.300') };
  test.each([
    ['contains an earlier event', ofOne('05.299'), true],
    ['contains an event at the same time', ofOne('05.300'), true],
    ['excludes a later event in the same second', ofOne('05.301'), false],
    ['contains an event of the same second, rounded to seconds', ofOne('05.000'), true],
    ['excludes a later event, rounded to seconds', ofOne('06.000'), false],
    ['excludes an earlier fact of our own command', ofOne('01.000', { source: 'command' }), false],
    ['excludes an earlier look-up', ofOne('01.000', { source: 'lookup' }), false],
  ] as const)('%s', (_, fact, isIt) => {
    expect(followed.isFromDroppedPeriod(dropping, fact)).toBe(isIt);
  });

  test('contains all events of its last second if that time was rounded to seconds', () => {
    expect(followed.isFromDroppedPeriod({ droppedUntil: at('05.000') }, ofOne('05.900'))).toBe(true);
  });
});

test('a checked fact stays checked after the provider confirms it', () => {
  const claimed = aFact('unheard of', { authenticated: false, isChecked: true });
  const noted = agreements.applyFact(active, claimed);
  const confirmed = agreements.applyFact(noted, { ...claimed, authenticated: true, isChecked: undefined });
  expect(confirmed.facts.at(-1)).toMatchObject({ authenticated: true, isChecked: true });
  expect(followed.openQuestions(AGREEMENT_LIFECYCLE, confirmed)).toEqual([]);
});
