import { expect, test } from 'vitest';
import { LADDERS } from '../../domain/ladder.js';
import { ladderInWords } from '../../domain/ladder.js';
import { WAITS } from '../../domain/waits.js';
import type { LadderName } from '../../domain/ladder.js';

const WORDS: Record<LadderName, string> = {
  payer_decision: '15 s, 1 m, 5 m, 15 m, 1 h, then every 6 h',
  overdue: 'every 30 m for 24 h, then every 6 h',
  action: '5 s, 15 s, 1 m, 5 m, 30 m, then every 6 h',
  payment: '5 s, 15 s, 40 s, 2 m, 10 m, then every 1 h',
  adoption: '5 s, 15 s, 1 m, 5 m, 15 m, then every 1 h',
};

test.each(Object.entries(WORDS))('the polls %s ask after %s', (name, words) => {
  expect(Object.keys(LADDERS)).toContain(name);
  const known = Object.keys(LADDERS).find((one): one is LadderName => one === name);
  expect(known && ladderInWords(known)).toBe(words);
});

test.each([
  ['payer-decision', 'payer_decision'],
  ['amendment-decision', 'payer_decision'],
] as const)(
  'who awaits %s is told how often is asked, and that it is more often once it is late',
  (wait, ladder) => {
    expect(WAITS[wait].next).toContain(WORDS[ladder]);
    expect(WAITS[wait].next).toContain(WORDS.overdue);
  },
);

test.each([
  ['action-outcome', 'action'],
  ['settlement', 'payment'],
] as const)('who awaits %s is told how often is asked, and of no lateness', (wait, ladder) => {
  expect(WAITS[wait].next).toContain(WORDS[ladder]);
  expect(WAITS[wait].next).not.toContain(WORDS.overdue);
});
