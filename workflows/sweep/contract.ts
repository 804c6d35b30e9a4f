// How a sweep is addressed: its schedule, which is one for each connection, and what a run is given and leaves behind.
import type { SweepReport } from '../../domain/facts/sweep.js';

export const SWEEP_WORKFLOW = 'sweep';
/** The schedule's id; a run has the same with the time of its start behind it. */
export const sweepId = (connectionId: string): string => `sweep/${connectionId}`;

export interface SweepInput {
  connectionId: string;
}

/** What a run ends with. The next run of the schedule is given it, and so knows what has been reported before. */
export interface SweepEnd extends SweepReport {
  /** What was found of payments; all else is of agreements. */
  payments: SweepReport;
  /** How many that waited for consent were resumed; absent where the connection could not be used. */
  resumed?: number | undefined;
}
