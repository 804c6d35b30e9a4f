import { keepSchedule } from '../sweep/schedule.js';
import type { AuditSettings, Dependencies, SweepSettings } from '../dependencies.js';
import type { ScheduleOutcome } from '../sweep/schedule.js';

interface Given extends Pick<Dependencies, 'temporal' | 'taskQueue'> {
  sweep: Pick<SweepSettings, 'everyMs'>;
  audit: Pick<AuditSettings, 'everyMs'>;
}

export function ensureSweepActivity({ temporal, taskQueue, sweep, audit }: Given) {
  /** Ensures the schedules of the sweep and of the audit. @returns the outcome for the sweep's schedule. */
  return async function ensureSweep({ connectionId }: { connectionId: string }): Promise<ScheduleOutcome> {
    const of = { connectionId, taskQueue };
    const [swept] = await Promise.all([
      keepSchedule(temporal, { ...of, does: 'sweep', everyMs: sweep.everyMs }),
      keepSchedule(temporal, { ...of, does: 'audit', everyMs: audit.everyMs }),
    ]);
    return swept;
  };
}
