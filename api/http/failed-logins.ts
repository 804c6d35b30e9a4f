// Slows down and counts keys that do not exist, so that guessing is slow and shows in the metrics. Valid keys never wait.
import type { Metrics } from '../../telemetry/metrics.js';
import type { Clock } from './wait.js';

const WINDOW_MS = 60_000;
const STEP_MS = 100;
const LONGEST_MS = 5000;

export interface FailedLogins {
  /** Resolves after a pause that grows with the failures of the last minute. */
  note: (where: 'api' | 'codec' | 'console') => Promise<void>;
}

export function createFailedLogins({ metrics, clock }: { metrics: Metrics; clock: Clock }): FailedLogins {
  let failures: number[] = [];
  return {
    note: async (where) => {
      metrics.loginsFailed.add(1, { where });
      const now = clock.now();
      failures = [...failures.filter((at) => at > now - WINDOW_MS), now].slice(-LONGEST_MS / STEP_MS);
      await clock.pause(Math.min(failures.length * STEP_MS, LONGEST_MS));
    },
  };
}
