// The clock that the stories go by: the agenda's, until it jumps. It is the Temporal server's, whose clock is not the provider's.
import type { Instant } from '../../domain/facts/fact.js';
import type { Agenda } from '../support/agenda.js';

export interface Clock {
  localNow: () => Instant;
  turn: (ms: number) => void;
  /** A clock that jumps ahead with the stories' own, and never back: by it no less has passed than by theirs, or in the world. */
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
