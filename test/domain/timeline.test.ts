import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOrder } from '../../domain/fact.js';
import { isAfter, olderFacts, placeOf, timelinePage } from '../../domain/timeline.js';
import { aFact } from '../support/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { Place } from '../../domain/timeline.js';

const at = (second: number, id: string): Fact =>
  aFact('suspended', { id, publishedAt: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString() });
const numbered = (count: number): Fact[] =>
  Array.from({ length: count }, (_, index) => at(index, `e-${String(index).padStart(5, '0')}`));
const idsOf = (facts: readonly Fact[]): string[] => facts.map(({ id }) => id);

/** Few instants, so that many facts share one. */
const facts = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 0, max: 6 }), fc.stringMatching(/^[a-z]{1,2}$/)).map(([s, id]) => at(s, id)),
  { selector: ({ id }) => id, minLength: 1, maxLength: 30 },
);
const most = fc.record({ facts: fc.integer({ min: 1, max: 5 }), characters: fc.constantFrom(1, 500, 1e6) });

/** What a history has beside these that are kept, and how a reader asks for it. */
const asking = fc
  .record({ history: facts, keeps: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), most })
  .map(({ history, keeps, most: bound }) => ({
    history,
    kept: history.filter((_, index) => keeps[index]),
    most: bound,
  }))
  .filter(({ kept }) => kept.length > 0);

const newestOf = (kept: readonly Fact[]): Place => {
  const newest = inOrder(kept).at(-1);
  if (newest === undefined) throw new Error('expected something kept');
  return placeOf(newest);
};

describe('places', () => {
  test('are in the order of the facts, and no two facts share one', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const places = inOrder(some).map(placeOf);
        for (const [index, place] of places.entries())
          for (const [other, otherPlace] of places.entries())
            expect(isAfter(place, otherPlace)).toBe(index > other);
      }),
    );
  });
});

describe('what a history has beside what is kept', () => {
  test('is everything before the newest that is kept, once and in order, over as many answers as it takes', () => {
    fc.assert(
      fc.property(asking, ({ history, kept, most: bound }) => {
        const before = newestOf(kept);
        const read: Fact[] = [];
        for (let since: Place | undefined; ;) {
          const asked = { since, before, kept: idsOf(kept) };
          // Newest first, and some of it twice, as a page that moved on meanwhile would.
          const { facts: part, isLast } = olderFacts([...history, ...history].reverse(), asked, bound);
          read.push(...part);
          const last = part.at(-1);
          expect(isLast || last !== undefined).toBe(true);
          expect(part.length).toBeLessThanOrEqual(bound.facts);
          if (isLast || last === undefined) break;
          since = placeOf(last);
        }
        const expected = inOrder(history).filter(
          (fact) => !kept.includes(fact) && isAfter(before, placeOf(fact)),
        );
        expect(idsOf(read)).toEqual(idsOf(expected));
      }),
      { numRuns: 1000 },
    );
  });

  test('is cut so that five thousand events, or a few huge ones, fit into one payload of Temporal', () => {
    const history = numbered(5000);
    const before = newestOf(numbered(5001));
    const { facts: part, isLast } = olderFacts(history, { before, kept: [] });
    expect(isLast).toBe(false);
    expect(part).toHaveLength(1000);
    const huge = history.slice(0, 10).map((fact) => ({ ...fact, detail: { text: '€'.repeat(200_000) } }));
    const cut = olderFacts(huge, { before, kept: [] });
    expect(cut.facts).toHaveLength(2);
    expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThan(2 * 1024 * 1024);
    const enormous = { ...at(0, 'e'), detail: { text: 'x'.repeat(1024 * 1024) } };
    expect(olderFacts([enormous, ...huge.slice(1)], { before, kept: [] }).facts).toEqual([enormous]);
  });

  test('leaves out what came after all that is kept', () => {
    const history = numbered(3);
    const [first, second] = history;
    if (first === undefined || second === undefined) throw new Error('expected facts');
    const older = olderFacts(history, { before: placeOf(second), kept: [second.id] });
    expect(older).toEqual({ facts: [first], isLast: true });
  });

  test('does not repeat what is kept with a finer time than the history gives it', () => {
    const kept = { ...at(1, 'a'), publishedAt: '2026-01-01T00:00:01.250Z' };
    const older = olderFacts([at(1, 'a'), at(0, 'b')], { before: placeOf(kept), kept: ['a'] });
    expect(idsOf(older.facts)).toEqual(['b']);
  });
});

describe('a page', () => {
  test('waits with what is kept for what stands before it and was not read', () => {
    const [zero, one, two, three] = numbered(4);
    if (!zero || !one || !two || !three) throw new Error('expected facts');
    const page = timelinePage([two, three], { facts: [zero], isLast: false }, { limit: 10 });
    expect(page).toEqual({ facts: [zero], next: { after: placeOf(zero), older: { since: placeOf(zero) } } });
    const after = { after: placeOf(zero), since: placeOf(zero), limit: 10 };
    expect(timelinePage([two, three], { facts: [one], isLast: true }, after)).toEqual({
      facts: [one, two, three],
      next: undefined,
    });
  });

  test('of nothing is the last', () => {
    expect(timelinePage([], { facts: [], isLast: true }, { limit: 1 })).toEqual({ facts: [] });
  });
});
