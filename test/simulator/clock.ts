import type { Instant } from '../../domain/facts/fact.js';
import type { Agenda } from '../support/agenda.js';

export interface Clock {
  localNow: () => Instant;
  turn: (ms: number) => void;
  passedMs: () => number;
}

export function createClock({ nowMs }: Agenda): Clock {
  let skewMs = 0;
  let aheadMs = 0;
  let shown = { ms: NaN, now: '' };
  return {
    localNow: () => {
      const ms = nowMs() + skewMs;
      if (shown.ms !== ms) shown = { ms, now: new Date(ms).toISOString() };
      return shown.now;
    },
    turn: (ms) => {
      skewMs += ms;
      aheadMs += Math.max(ms, 0);
    },
    passedMs: () => nowMs() + aheadMs,
  };
}

/** Resolves when all promises that are ready have been handled. */
export const drained = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });
