// In:  workflows/connection/steps.ts has consent, so there is an account to sweep.
// Out: activities/sweep/schedule.ts.
import { activityInfo } from '@temporalio/activity';
import { keepSchedule } from './sweep/schedule.js';
import type { Dependencies } from './dependencies.js';
import type { ScheduleKept } from './sweep/schedule.js';

export function ensureSweepActivity({ temporal, sweep }: Dependencies) {
  return function ensureSweep({ connectionId }: { connectionId: string }): Promise<ScheduleKept> {
    const { taskQueue } = activityInfo();
    return keepSchedule(temporal, { connectionId, taskQueue, everyMs: sweep.everyMs });
  };
}
