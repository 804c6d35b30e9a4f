// Compares the provider's lists of agreements and of payments with ours, and signals those that differ. What it has read is in its
// heartbeats: the attempt after it goes on where it stopped.
import { Context } from '@temporalio/activity';
import { newReport, markStopped } from '../../domain/facts/sweep.js';
import { inAttempts } from '../attempts/resumable.js';
import { resumed } from './progress.js';
import { SWEPT_AGREEMENTS, SWEPT_PAYMENTS } from './swept.js';
import { listsOf, progressOf, walk } from './walk.js';
import { createVisibility } from '../temporal/visibility.js';
import type { Difference, SweepReport } from '../../domain/facts/sweep.js';
import type { Dependencies } from '../dependencies.js';
import type { Swept } from './swept.js';
import type { Sweep } from './walk.js';

export interface SweepTask {
  connectionId: string;
  /** What the sweep before this one signalled for. */
  before: readonly Difference[];
}

export function sweepActivities(deps: Dependencies, visibility = createVisibility(deps.temporal)) {
  /**
   * @returns the report, also where a person has to do something before the provider can be called: it says so.
   * @throws ApplicationFailure as other reads do; another attempt goes on behind the last page that was read.
   */
  const sweepOf =
    (swept: Swept) =>
    ({ connectionId, before }: SweepTask): Promise<SweepReport> => {
      const { info } = Context.current();
      const blank = newReport(connectionId, new Date(info.scheduledTimestampMs).toISOString());
      const { left, ...progress } = resumed(info.heartbeatDetails, blank);
      const sweep: Sweep = {
        ...{ deps, visibility, swept, connectionId, progress },
        before: new Map(before.map((one) => [one.uid, one])),
        met: new Set(),
        left: left && new Set(left),
      };
      return inAttempts({
        at: sweep,
        read: () => walk(sweep),
        carried: () => progressOf(sweep),
        afterRefusal: (progress) => afterRefusal({ ...sweep, progress }, blank),
        stopped: (code) => markStopped(sweep.progress.report, code),
        now: deps.now,
      });
    };
  return { sweepAgreements: sweepOf(SWEPT_AGREEMENTS), sweepPayments: sweepOf(SWEPT_PAYMENTS) };
}

/** The provider does not take the cursor any more, or lists by state: the next attempt reads from the beginning. */
function afterRefusal({ progress, ...sweep }: Sweep, blank: SweepReport): Sweep['progress'] {
  const { list = 0, next, isWhole = false, beginnings } = progress;
  if (list >= listsOf({ ...sweep, progress }).length) return progress;
  return { report: blank, beginnings, isWhole: isWhole || next === undefined };
}
