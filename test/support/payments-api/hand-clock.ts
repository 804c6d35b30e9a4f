import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../payments-api/rate/queue.js';

export interface HandClock extends Clock {
  advance(ms: number): Promise<void>;
  running(): number;
}

export function handClock(): HandClock {
  const due = new Set<{ atMs: number; work: () => void }>();
  let nowMs = 0;
  return {
    now: () => nowMs,
    after: (delayMs, work) => {
      const timer = { atMs: nowMs + delayMs, work };
      due.add(timer);
      return () => void due.delete(timer);
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      for (;;) {
        await setImmediate();
        const [next] = [...due].sort((a, b) => a.atMs - b.atMs);
        if (next === undefined || next.atMs > untilMs) break;
        due.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.work();
      }
      nowMs = untilMs;
    },
    running: () => due.size,
  };
}
