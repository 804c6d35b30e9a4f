import { describe, expect, test } from 'vitest';
import { POLL_INTERVALS, waitMs } from '../../../domain/time/poll-intervals.js';

describe('poll intervals', () => {
  test.each([
    ['payer_decision', [15, 60, 300, 900, 3600, 21_600, 21_600]],
    ['payment', [5, 15, 40, 120, 600, 3600, 3600]],
  ] as const)('of %s grow as documented', (name, seconds) => {
    expect(seconds.map((_, index) => waitMs(name, index + 1, 0.5) / 1000)).toEqual(seconds);
  });

  test('of an overdue decision are 30 minutes for a day, then 6 hours', () => {
    const waits = Array.from({ length: 50 }, (_, index) => waitMs('overdue', index + 1, 0.5) / 60_000);
    expect(waits).toEqual([...Array.from({ length: 48 }, () => 30), 360, 360]);
  });

  test('vary by ten percent in both directions', () => {
    for (const name of Object.keys(POLL_INTERVALS)) {
      if (name !== 'payment') continue;
      expect([waitMs(name, 1, 0), waitMs(name, 1, 1)]).toEqual([4500, 5500]);
    }
  });
});
