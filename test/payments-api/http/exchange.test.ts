import { afterEach, expect, test, vi } from 'vitest';
import { exchange } from '../../../payments-api/http/exchange.js';
import { thrownBy } from '../../support/payments-api/loopback.js';
import type { Incoming } from '../../../payments-api/http/transport.js';

const LIMIT_MS = 300;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const never = (): Promise<Incoming> => new Promise(() => undefined);

test.each([
  [0.5, 0],
  [900, 900],
  [86_400_000, 1000],
])('a limit noticed %d ms late allows %d ms to read arrived bytes', async (lateMs, graceMs) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const request = { method: 'POST', headers: {} };
  let isOver = false;
  const failed = thrownBy(() =>
    exchange({ operation: 'refresh', url: 'x', request, transport: never, limitMs: LIMIT_MS }),
  );
  void failed.then(() => (isOver = true));
  clock.mockReturnValue(LIMIT_MS + lateMs);
  await vi.advanceTimersByTimeAsync(LIMIT_MS + Math.max(graceMs - 1, 0));
  expect(isOver).toBe(graceMs === 0);
  await vi.advanceTimersByTimeAsync(1);
  expect(await failed).toMatchObject({ code: 'unavailable' });
  expect(vi.getTimerCount()).toBe(0);
});
