// The ids and types of sweeps. Each connection has one schedule.
import type { FloatAccountsFound } from '../../activities/float/start.js';
import type { EventResource } from '../../domain/resources.js';
import type { SweepReport } from '../../domain/sweep/comparison.js';

export const SWEEP_WORKFLOW = 'sweep';
/** The schedule's id. Temporal appends the start time for the id of a run. */
export const sweepId = (connectionId: string): string => `sweep/${connectionId}`;

export interface SweepInput {
  connectionId: string;
}

/** The result of a run. The next run of the schedule receives it, so it knows earlier findings. */
export interface SweepEnd {
  connectionId: string;
  reports: Readonly<Record<EventResource, SweepReport>>;
  /** The float accounts of the connection. Each has a workflow then. */
  floatAccounts: FloatAccountsFound;
  /** How many blocked workflows were resumed; absent if the provider could not be called. */
  resumed?: number | undefined;
}
