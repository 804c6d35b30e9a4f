import { describe, expect, test } from 'vitest';
import { inOrder } from '../../../domain/facts/fact.js';
import { olderFacts, placeOf } from '../../../domain/facts/timeline.js';
import { aFact } from '../../support/facts.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { Place } from '../../../domain/facts/timeline.js';

const at = (second: number, id: string): Fact =>
  aFact('suspended', { id, publishedAt: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString() });
const numbered = (count: number): Fact[] =>
  Array.from({ length: count }, (_, index) => at(index, `e-${String(index).padStart(5, '0')}`));
const idsOf = (facts: readonly Fact[]): string[] => facts.map(({ id }) => id);

const newestOf = (kept: readonly Fact[]): Place => {
  const newest = inOrder(kept).at(-1);
  if (newest === undefined) throw new Error('expected a stored fact');
  return placeOf(newest);
};

describe('older facts read from history', () => {
  test('are cut to fit into one Temporal payload', () => {
    const history = numbered(5000);
    const before = newestOf(numbered(5001));
    const { facts: part, isLast } = olderFacts(history, { before, stored: [] });
    expect(isLast).toBe(false);
    expect(part).toHaveLength(1000);
    const huge = history.slice(0, 10).map((fact) => ({ ...fact, detail: { text: '€'.repeat(200_000) } }));
    const cut = olderFacts(huge, { before, stored: [] });
    expect(cut.facts).toHaveLength(2);
    expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThan(2 * 1024 * 1024);
    const enormous = { ...at(0, 'e'), detail: { text: 'x'.repeat(1024 * 1024) } };
    expect(olderFacts([enormous, ...huge.slice(1)], { before, stored: [] }).facts).toEqual([enormous]);
  });

  test('omit stored facts that have more precise timestamps', () => {
    const kept = { ...at(1, 'a'), publishedAt: '2026-01-01T00:00:01.250Z' };
    const older = olderFacts([at(1, 'a'), at(0, 'b')], { before: placeOf(kept), stored: ['a'] });
    expect(idsOf(older.facts)).toEqual(['b']);
  });
});
