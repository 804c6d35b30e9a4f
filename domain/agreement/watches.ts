// Who keeps an eye on what was asked of the provider, in case its word on that is lost: how often it is asked again, and
// which deadlines ask besides (docs/agreement.md#polls). As data; workflows/agreement/desired-steps.ts does as it says, and a test holds it to that.
import type { ActionKind } from './events.js';
import type { DeadlineName } from './deadline.js';
import type { PollIntervalsName } from '../time/poll-intervals.js';

/** All that can be under way with an agreement: the commands, and that it comes to be at all. */
export type PendingKind = ActionKind | 'creation';

export interface Watch {
  pollIntervals: PollIntervalsName;
  /** How it goes on once the payer is late. */
  late?: PollIntervalsName;
  deadlines: readonly DeadlineName[];
}

/** The provider answers for these within seconds; no person has to decide. */
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
