import { expect, test } from 'vitest';
import { ifInTime } from '../../../activities/payment/in-time.js';
import type { Call } from '../../../payments-api/client.js';

const NOW_MS = Date.UTC(2026, 10, 1, 3);
const at = (seconds: number) => new Date(NOW_MS + seconds * 1000).toISOString();

test.each([
  ['judged 29 s ago is sent', { judgedAt: at(-29), sendBefore: at(1) }, 'sent'],
  ['judged 31 s ago is not sent', { judgedAt: at(-31), sendBefore: at(1) }, 'late'],
  ['never judged is not sent', { sendBefore: at(1) }, 'late'],
  ['past its deadline is not sent', { judgedAt: at(-1), sendBefore: at(-1) }, 'late'],
])('a payment %s', async (_what, time, expected) => {
  const send = ifInTime({ now: () => NOW_MS }, time, () => Promise.resolve('sent'));
  const outcome = await send({} as Call).catch((error: unknown) => error);
  if (expected === 'sent') expect(outcome).toBe('sent');
  else expect(outcome).toMatchObject({ type: 'late', nonRetryable: true });
});
