import { expect, test } from 'vitest';
import { requireInTime } from '../../../activities/payment/in-time.js';

const NOW_MS = Date.UTC(2026, 10, 1, 3);
const at = (seconds: number) => new Date(NOW_MS + seconds * 1000).toISOString();
const check = (time: Parameters<typeof requireInTime>[1]) => () => requireInTime({ now: () => NOW_MS }, time);

test('a payment that was judged 4 s ago is sent', () => {
  expect(check({ judgedAt: at(-4), sendBefore: at(1) })).not.toThrow();
});

test.each([
  ['judged 6 s ago', { judgedAt: at(-6), sendBefore: at(1) }],
  ['never judged', { sendBefore: at(1) }],
  ['past its deadline', { judgedAt: at(-1), sendBefore: at(-1) }],
])('a payment %s is not sent', (_what, time) => {
  expect(check(time)).toThrow(expect.objectContaining({ type: 'late', nonRetryable: true }));
});
