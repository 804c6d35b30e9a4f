import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStatement } from '../../../domain/float/statement.js';
import type { StoredFloatEntry } from '../../../domain/float/entries.js';

const entry = (id: string, minute: number, amount: number, balanceAfter: number): StoredFloatEntry => ({
  ...{ id, at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(), amount, balanceAfter },
  description: undefined,
});

/** In parts of two entries. */
function statementOf(before: StoredFloatEntry[], entries: StoredFloatEntry[]) {
  const statement = createStatement(before);
  for (let start = 0; start < entries.length; start += 2) statement.add(entries.slice(start, start + 2));
  return statement.end();
}

describe('a statement', () => {
  test('opens with the balance that its first entry continues, and orders the entries of one instant', () => {
    const before = [entry('a', 0, 50, 150)];
    const { opening, closing, entries, breaks } = statementOf(before, [
      ...[entry('b', 1, -30, 220), entry('c', 1, 100, 250), entry('d', 2, 5, 225)],
    ]);
    expect({ opening, closing, breaks }).toEqual({ opening: 150, closing: 225, breaks: [] });
    expect(entries.map(({ id }) => id)).toEqual(['c', 'b', 'd']);
  });

  test('of a day without entries keeps the balance', () => {
    expect(statementOf([entry('a', 0, 50, 150)], [])).toMatchObject({
      opening: 150,
      closing: 150,
      entries: [],
    });
    expect(statementOf([], [])).toMatchObject({ opening: undefined, closing: undefined });
  });

  test('names entries that do not follow each other', () => {
    const { breaks } = statementOf([entry('a', 0, 50, 150)], [entry('b', 1, 10, 200)]);
    expect(breaks).toMatchObject([{ beforeId: 'a', afterId: 'b', expected: 150, found: 190 }]);
  });

  test('sums what is matched and what is not', () => {
    const statement = statementOf(
      [],
      [
        { ...entry('a', 0, 50, 50), paymentUid: 'pay-1' },
        { ...entry('b', 1, 20, 70), caseState: 'matched' },
        { ...entry('c', 2, 7, 77), caseState: 'kept' },
        entry('d', 3, -10, 67),
      ],
    );
    expect(statement).toMatchObject({
      ...{ credits: { count: 3, amount: 77 }, debits: { count: 1, amount: 10 } },
      ...{ matched: { count: 2, amount: 70 }, unmatched: { count: 2, amount: 17 } },
    });
  });

  test('adds up for each cut of the entries', () => {
    const move = fc.tuple(fc.integer({ min: -50, max: 50 }).filter(Boolean), fc.boolean());
    const addsUp = (moves: [number, boolean][], cut: number): void => {
      let [balance, minute] = [1000, 0];
      const all = moves.map(([amount, isLater], index) => {
        minute += isLater ? 1 : 0;
        balance += amount;
        return entry(String(index), minute, amount, balance);
      });
      const at = all[Math.min(cut, all.length - 1)]?.at ?? '';
      const lastBefore = all.filter((one) => one.at < at).at(-1)?.at;
      const before = all.filter((one) => one.at === lastBefore);
      const day = all.filter((one) => one.at >= at);
      const sorted = day.toSorted((a, b) => (a.at + a.id < b.at + b.id ? -1 : 1));
      const { opening = NaN, closing, breaks } = statementOf(before, sorted);
      expect(breaks).toEqual([]);
      expect(opening + day.reduce((sum, { amount }) => sum + amount, 0)).toBe(closing);
    };
    fc.assert(fc.property(fc.array(move, { minLength: 1, maxLength: 30 }), fc.nat(29), addsUp));
  });
});
