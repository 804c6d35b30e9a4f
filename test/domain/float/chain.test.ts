import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChain, type ChainPlace, type FloatEntry } from '../../../domain/float/chain.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const entry = (id: string, minute: number, amount: number, balanceAfter: number): FloatEntry => ({
  ...{ id, at: at(minute), amount, balanceAfter },
});

function followed(entries: readonly FloatEntry[], from?: ChainPlace) {
  const chain = createChain(from);
  const instants = [...new Set(entries.map((one) => one.at))].sort();
  const ordered = instants.flatMap((instant) =>
    chain.addInstant(entries.filter((one) => one.at === instant)),
  );
  return { ordered, breaks: chain.breaks(), place: chain.place(), balance: chain.balance() };
}

const moves = fc.array(
  fc.record({ minute: fc.integer({ min: 0, max: 3 }), amount: fc.integer({ min: -3, max: 3 }) }),
  { minLength: 1, maxLength: 30 },
);

function chainOf(given: readonly { minute: number; amount: number }[]): FloatEntry[] {
  let balance = 0;
  return given
    .toSorted((one, other) => one.minute - other.minute)
    .map(({ minute, amount }, index) => entry(`e${index}`, minute, amount, (balance += amount)));
}

test('entries of a whole chain follow each other in any order of an instant, also when it is continued', () => {
  fc.assert(
    fc.property(moves, fc.infiniteStream(fc.nat()), fc.nat({ max: 3 }), (given, keys, cut) => {
      const entries = chainOf(given);
      const shuffled = entries
        .map((one) => ({ one, key: Number(keys.next().value) }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const whole = followed(shuffled);
      expect(whole.breaks).toEqual([]);
      expect([entries.at(-1)?.balanceAfter, undefined]).toContain(whole.balance);
      expect(whole.ordered.map(({ id }) => id).sort()).toEqual(entries.map(({ id }) => id).sort());
      const first = followed(shuffled.filter((one) => one.at <= at(cut)));
      const rest = shuffled.filter((one) => one.at >= (first.place?.at ?? at(0)));
      const second = followed(rest, first.place);
      expect(second.breaks).toEqual([]);
      if (rest.length > 0) expect(second.balance).toBe(whole.balance);
    }),
  );
});

test('a missing or changed entry is named with the entry before it', () => {
  const entries = [entry('a', 0, 10, 10), entry('b', 1, 5, 15), entry('c', 2, -5, 10), entry('d', 3, 1, 11)];
  const [a, b, c, d] = entries as [FloatEntry, FloatEntry, FloatEntry, FloatEntry];
  expect(followed([a, c, d]).breaks).toEqual([
    { at: c.at, beforeId: 'a', afterId: 'c', expected: 10, found: 15 },
  ]);
  const changed = { ...c, balanceAfter: 9 };
  expect(followed([a, b, changed, d]).breaks).toEqual([
    { at: c.at, beforeId: 'b', afterId: 'c', expected: 15, found: 14 },
    { at: d.at, beforeId: 'c', afterId: 'd', expected: 9, found: 10 },
  ]);
});

test('entries of one instant that do not belong together are all kept, with a break', () => {
  const { ordered, breaks } = followed([entry('a', 0, 10, 10), entry('b', 0, 5, 99)]);
  expect(ordered).toHaveLength(2);
  expect(breaks).toHaveLength(1);
});
