// In:  workflows/connection/steps.ts has consent, so there is an account to sweep and to audit.
// Out: activities/sweep/schedule.ts.
import { activityInfo } from '@temporalio/activity';
import { keepSchedule } from './sweep/schedule.js';
import type { Dependencies } from './dependencies.js';
import type { ScheduleKept } from './sweep/schedule.js';

export function ensureSweepActivity({ temporal, sweep, audit }: Dependencies) {
  /** @returns what became of the sweep's schedule; the audit's is kept beside it. */
  return async function ensureSweep({ connectionId }: { connectionId: string }): Promise<ScheduleKept> {
    const of = { connectionId, taskQueue: activityInfo().taskQueue };
    const [swept] = await Promise.all([
      keepSchedule(temporal, { ...of, does: 'sweep', everyMs: sweep.everyMs }),
      keepSchedule(temporal, { ...of, does: 'audit', everyMs: audit.everyMs }),
    ]);
    return swept;
  };
}
