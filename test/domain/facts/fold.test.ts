import { describe, expect, test } from 'vitest';
import { inOrder, type Fact } from '../../../domain/facts/fact.js';
import { fold } from '../../../domain/facts/fold.js';
import { attemptsOf } from '../../../domain/payment/attempts.js';
import { PAYMENT_LIFECYCLE } from '../../../domain/payment/lifecycle.js';
import { aFact } from '../../support/facts.js';
import { randomUUID } from 'node:crypto';
import { MAX_HASHES, addDropped, isDropped } from '../../../domain/facts/dropped-hashes.js';

const SENT = '2026-10-31T12:40:05.000Z';
const LOOK_UP = '2026-11-02T01:00:00.000Z';
const pending = aFact('pending', { publishedAt: SENT });
/** Its place is right after the last known fact. */
const observed = (state: string): Fact =>
  aFact('observed', {
    ...{ state, source: 'lookup', receivedAt: LOOK_UP },
    publishedAt: '2026-10-31T12:40:05.001Z',
  });
const event = (type: string, publishedAt = '2026-11-02T00:30:00.000Z', over: Partial<Fact> = {}): Fact =>
  aFact(type, { publishedAt, receivedAt: '2026-11-02T03:00:00.000Z', ...over });
const foldOf = (...facts: Fact[]) => fold(PAYMENT_LIFECYCLE, 'requested', facts);

describe('time of a state that a look-up showed first', () => {
  test('is the time of the look-up, although the fact keeps its place', () => {
    const fromLookUp = { since: LOOK_UP, sinceSource: 'lookup' };
    expect(foldOf(pending, observed('settled'))).toMatchObject({ state: 'settled', ...fromLookUp });
    const forged = event('settled', SENT, { authenticated: false });
    expect(foldOf(pending, observed('settled'), forged)).toMatchObject({
      ...fromLookUp,
      unconfirmed: [forged.id],
    });
  });

  test.each([
    ['settled', 'before the look-up', '2026-11-02T00:30:00.000Z'],
    ['settled', 'after the look-up by clocks that differ', '2026-11-02T01:00:01.000Z'],
    ['settled', 'before the place of the look-up', '2026-10-31T12:40:04.000Z'],
    ['failed', 'before the look-up', '2026-11-02T00:30:00.000Z'],
    ['pending', 'before the look-up', '2026-11-02T00:30:00.000Z'],
  ])('becomes that of the `%s` event published %s', (state, _when, since) => {
    const facts = [observed(state), event(state, since)];
    const corrected = { state, since, sinceSource: 'webhook', conflicts: [] };
    expect(foldOf(...facts)).toMatchObject(corrected);
    expect(foldOf(...facts.toReversed())).toMatchObject(corrected);
  });

  test('is corrected once, also after the look-up was dropped', () => {
    const [first, second] = [event('settled'), event('settled', '2026-11-02T00:31:00.000Z')];
    const entered = { since: LOOK_UP, sinceSource: 'lookup' as const };
    const folded = fold(PAYMENT_LIFECYCLE, 'settled', [first, second], entered);
    expect(folded).toMatchObject({ since: first.publishedAt, conflicts: [second.id] });
  });

  test('gives way to a newer state, and an event of an earlier attempt does not change it', () => {
    const failed = observed('failed');
    expect(foldOf(failed, event('settled'))).toMatchObject({
      state: 'settled',
      since: '2026-11-02T00:30:00.000Z',
    });
    const retried = event('retried', '2026-10-31T12:40:05.002Z', { source: 'command' });
    expect(foldOf(failed, retried, event('failed'))).toMatchObject({
      state: 'retrying',
      since: retried.receivedAt,
    });
  });

  test('is also corrected in the attempt', () => {
    const facts = [observed('settled'), event('settled')];
    const endedAt = (count: number) =>
      attemptsOf({ requestedAt: SENT, facts: facts.slice(0, count), start: 'requested' })[0]?.endedAt;
    expect([endedAt(1), endedAt(2)]).toEqual([LOOK_UP, '2026-11-02T00:30:00.000Z']);
  });
});

test('events from the future that were received together are in the order of their claims', () => {
  const of = (id: string, claimedAt: string): Fact => ({ ...pending, id, claimedAt });
  const facts = [of('a', '2027-01-02T00:00:00.000Z'), of('z', '2027-01-01T00:00:00.000Z')];
  expect(inOrder(facts).map(({ id }) => id)).toEqual(['z', 'a']);
});

const ids = Array.from({ length: MAX_HASHES + 1000 }, (_, index) => `${index}/${randomUUID()}`);

test('the newest ids are recognised without false matches', () => {
  const hashes = addDropped(addDropped(undefined, ids.slice(0, 3000)), ids.slice(3000));
  expect(hashes).toHaveLength(MAX_HASHES);
  expect(new Set(hashes).size).toBe(MAX_HASHES);
  expect(ids.map((id) => isDropped(hashes, id))).toEqual(ids.map((_, index) => index >= 1000));
  expect(isDropped(undefined, 'a')).toBe(false);
});

test('a hash is short and stable across releases', () => {
  expect(addDropped([], ['', 'event-000001'])).toMatchInlineSnapshot(`
    [
      "1ps9wxbi90v2v",
      "13syepbsecj93",
    ]
  `);
});
