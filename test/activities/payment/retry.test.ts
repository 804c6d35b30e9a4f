import { expect, test } from 'vitest';
import { msUntilNamed } from '../../../activities/payment/retry.js';

const NOW_MS = Date.UTC(2026, 10, 1, 3);
const HOUR_MS = 3_600_000;

test.each([
  ['it can be tried again from 2026-11-01T04:00:00.000Z', HOUR_MS],
  ['next retry at 2026-11-01 15:00:00 +11:00', undefined],
  ['next retry at 2026-11-01T15:00:00+11:00.', HOUR_MS],
  ['next retry at 2026-11-01T15:00+1100', HOUR_MS],
  ['the last one was at 2026-11-01T02:00:00Z', undefined],
  ['try again tomorrow', undefined],
  ['', undefined],
])('the retry time in "%s" is %s ms from now', (text, expected) => {
  expect(msUntilNamed(text, NOW_MS)).toBe(expected);
});
