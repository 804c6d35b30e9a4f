import { describe, expect, test } from 'vitest';
import { LADDERS, ladderInWords, waitMs } from '../../domain/ladder.js';
import { WAITS } from '../../domain/waits.js';
import type { LadderName } from '../../domain/ladder.js';

const WORDS: Record<LadderName, string> = {
  payer_decision: '15 s, 1 m, 5 m, 15 m, 1 h, then every 6 h',
  overdue: 'every 30 m for 24 h, then every 6 h',
  action: '5 s, 15 s, 1 m, 5 m, 30 m, then every 6 h',
  payment: '5 s, 15 s, 40 s, 2 m, 10 m, then every 1 h',
  adoption: '5 s, 15 s, 1 m, 5 m, 15 m, then every 1 h',
  late_adoption: 'then every 6 h',
  service: '15 s, 30 s, 1 m, 5 m, 15 m, then every 1 h',
  standing: 'then every 24 h',
  stop: '5 s, 10 s, 20 s, 40 s, then every 1 m',
  onboarding: '1 s, 2 s, 5 s, 15 s, 1 m, 5 m, 15 m, then every 1 h',
  denied: '1 m, 5 m, 30 m, 1 h, then every 6 h',
  rows: '2 s, 5 s, 15 s, 1 m, then every 5 m',
};

test.each(Object.entries(WORDS))('the ladder %s in words: %s', (name, words) => {
  expect(Object.keys(LADDERS)).toContain(name);
  const known = Object.keys(LADDERS).find((one): one is LadderName => one === name);
  expect(known && ladderInWords(known)).toBe(words);
});

test.each([
  ['payer-decision', 'payer_decision'],
  ['amendment-decision', 'payer_decision'],
] as const)(
  'the words for the wait %s say how often the provider is asked, and that it is more often once it is late',
  (wait, ladder) => {
    expect(WAITS[wait].next).toContain(WORDS[ladder]);
    expect(WAITS[wait].next).toContain(WORDS.overdue);
  },
);

test.each([
  ['action-outcome', 'action'],
  ['settlement', 'payment'],
] as const)(
  'the words for the wait %s say how often the provider is asked, and of no lateness',
  (wait, ladder) => {
    expect(WAITS[wait].next).toContain(WORDS[ladder]);
    expect(WAITS[wait].next).not.toContain(WORDS.overdue);
  },
);

describe('the ladders', () => {
  test.each([
    ['payer_decision', [15, 60, 300, 900, 3600, 21_600, 21_600]],
    ['payment', [5, 15, 40, 120, 600, 3600, 3600]],
  ] as const)('%s', (name, seconds) => {
    expect(seconds.map((_, index) => waitMs(name, index + 1, 0.5) / 1000)).toEqual(seconds);
  });

  test('from the fifth day asks every 30 minutes for a day, then every 6 hours', () => {
    const waits = Array.from({ length: 50 }, (_, index) => waitMs('overdue', index + 1, 0.5) / 60_000);
    expect(waits).toEqual([...Array.from({ length: 48 }, () => 30), 360, 360]);
  });

  test('spread their waits over ten percent to either side', () => {
    for (const name of Object.keys(LADDERS)) {
      if (name !== 'payment') continue;
      expect([waitMs(name, 1, 0), waitMs(name, 1, 1)]).toEqual([4500, 5500]);
    }
  });
});
