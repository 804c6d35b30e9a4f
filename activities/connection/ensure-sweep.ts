import { keepSchedule } from '../sweep/schedule.js';
import type { AuditSettings, Dependencies, SettlementSettings, SweepSettings } from '../dependencies.js';
import type { ScheduleOutcome } from '../sweep/schedule.js';

interface Given extends Pick<Dependencies, 'temporal' | 'taskQueue'> {
  sweep: Pick<SweepSettings, 'everyMs'>;
  audit: Pick<AuditSettings, 'everyMs'>;
  settlement: SettlementSettings;
}

export function ensureSweepActivity({ temporal, taskQueue, sweep, audit, settlement }: Given) {
  /** Ensures the schedules of the sweep, the audit and the settlement. @returns the outcome for the sweep's schedule. */
  return async function ensureSweep({ connectionId }: { connectionId: string }): Promise<ScheduleOutcome> {
    const of = { connectionId, taskQueue };
    const [swept] = await Promise.all([
      keepSchedule(temporal, { ...of, does: 'sweep', everyMs: sweep.everyMs }),
      keepSchedule(temporal, { ...of, does: 'audit', everyMs: audit.everyMs }),
      keepSchedule(temporal, { ...of, does: 'settlement', everyMs: settlement.everyMs }),
    ]);
    return swept;
  };
}
