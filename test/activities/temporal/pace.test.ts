import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPace } from '../../../activities/temporal/pace.js';

test('10,000 calls all run, and never faster than the pace', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let gone = 0;
  const turn = createPace({ intervalMs: 100, burst: 25 });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const all = environment.run(async () => {
    const oneAfterTheOther = async () => {
      for (let left = 400; left > 0; left -= 1) {
        await turn();
        gone += 1;
      }
    };
    await Promise.all(Array.from({ length: 25 }, oneAfterTheOther));
  });
  const fromMs = performance.now();
  for (let most = 0; gone < 10_000; most = 25 + (performance.now() - fromMs) / 100) {
    expect(gone).toBeLessThanOrEqual(most);
    await vi.advanceTimersByTimeAsync(10_000);
    for (let turns = 0; turns < 3; turns += 1) await setImmediate();
  }
  await all;
});
