// How we find the outcome of each command if its event is lost: the poll intervals and the deadlines (docs/agreement.md#polls).
// Data only: workflows/agreement/desired-steps.ts follows it, and a test compares the two.
import type { ActionKind } from './events.js';
import type { DeadlineName } from './deadline.js';
import type { PollIntervalsName } from '../time/poll-intervals.js';

/** Everything that can be pending for an agreement: its creation and each command. */
export type PendingKind = ActionKind | 'creation';

export interface Watch {
  pollIntervals: PollIntervalsName;
  /** The intervals once the payer is overdue. */
  late?: PollIntervalsName;
  deadlines: readonly DeadlineName[];
}

/** The provider answers these within seconds; no person has to decide. */
const SOON: Watch = { pollIntervals: 'action', deadlines: [] };

export const WATCHES: Readonly<Record<PendingKind, Watch>> = {
  creation: { pollIntervals: 'payer_decision', late: 'overdue', deadlines: ['payer_decision', 'resolution'] },
  suspension: SOON,
  reactivation: SOON,
  cancellation: SOON,
  amendment: {
    pollIntervals: 'payer_decision',
    late: 'overdue',
    deadlines: ['amendment_decision', 'amendment_resolution'],
  },
  amendment_recall: SOON,
  identification: SOON,
};
