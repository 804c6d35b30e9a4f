import { describe, expect, test } from 'vitest';
import {
  CONSEQUENCES,
  consequenceOf,
  nextTryAt,
  outcomeOfFailure,
  outcomeOfResult,
} from '../../../domain/counterparty/verification.js';

const NOW = '2026-11-01T04:00:00.000Z';

describe('verification outcome', () => {
  test.each([
    ['match', 'match'],
    ['close_match', 'close_match'],
    ['no_match', 'no_match'],
    ['account_closed', 'account_closed'],
    ['resolved', 'undecided'],
    ['nearly', 'undecided'],
    [undefined, 'undecided'],
  ] as const)('the result %s is %s', (result, outcome) => {
    expect(outcomeOfResult(result)).toBe(outcome);
  });

  test.each([
    ['account_unusable', false, 'account_unusable'],
    ['alias_unknown', true, 'alias_unknown'],
    ['limit', true, 'limit'],
    ['unconfirmed', true, 'unconfirmed'],
    ['service_down', false, 'unanswered'],
    ['invalid_request', true, 'refused'],
    [undefined, true, 'refused'],
    [undefined, false, 'unanswered'],
  ] as const)('a failure that means %s (refused: %s) is %s', (means, isRefused, outcome) => {
    expect(outcomeOfFailure(means, isRefused)).toBe(outcome);
  });
});

describe('verification retry', () => {
  test('stops at the third unconfirmed answer and never at a limit', () => {
    expect([1, 2, 3].map((times) => consequenceOf({ outcome: 'unconfirmed', times }).then)).toEqual([
      'again',
      'again',
      'stop',
    ]);
    expect(consequenceOf({ outcome: 'limit', times: 99 }).then).toBe('again');
  });

  test.each([
    ['limit', 0, '2026-11-01T13:00:00.000Z'],
    ['limit', 1, '2026-11-01T14:00:00.000Z'],
    ['unanswered', 0.5, '2026-11-01T04:00:05.000Z'],
  ] as const)('%s with spread %s is retried at %s', (outcome, spread, at) => {
    expect(nextTryAt(CONSEQUENCES[outcome], 1, NOW, { spread })).toBe(at);
  });

  test('waits at least as long as the provider requests', () => {
    const again = nextTryAt(CONSEQUENCES.unanswered, 1, NOW, { spread: 0.5, retryAfterMs: 60_000 });
    expect(again).toBe('2026-11-01T04:01:00.000Z');
  });
});
