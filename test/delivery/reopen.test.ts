import { afterEach, expect, test, vi } from 'vitest';
import { READING_LASTS_MS, reopen, type Destination } from '../../delivery/reopen.js';
import { recipientOf } from '../../delivery/recipients.js';
import type { PaymentEnd } from '../../workflows/payment/contract.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const END = { uid: 'p', state: 'settled', carried: { shape: 0, state: {} } };
function ended(readMs: number): Destination {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const result = (): Promise<typeof END> => {
    nowMs += readMs;
    return Promise.resolve(END);
  };
  const describe = () => Promise.resolve({ runId: 'r', status: { name: 'COMPLETED' } });
  const workflow = { getHandle: () => ({ describe, result }) };
  return { client: { workflow } as unknown as Destination['client'], taskQueue: 'q' };
}

test.each([
  ['is reopened if its result was read in time', READING_LASTS_MS, { answer: 'started' }],
  ['is not reopened if reading its result took too long', READING_LASTS_MS + 1, undefined],
])('a closed run %s', async (_, readMs, met) => {
  const start = vi.fn(() => Promise.resolve('started'));
  expect(
    await reopen<PaymentEnd, string>(ended(readMs), recipientOf('payment', 'p', 'acme'), 'a test', start),
  ).toEqual(met);
  expect(start).toHaveBeenCalledTimes(met === undefined ? 0 : 1);
});
