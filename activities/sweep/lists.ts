// Compares one of the provider's lists with ours, and signals the workflows that differ. Heartbeats carry the progress,
// so the next attempt continues where this one stopped.
import { Context } from '@temporalio/activity';
import { newReport, markStopped, type Difference, type SweepReport } from '../../domain/sweep/comparison.js';
import { detailsWith } from '../attempts/heartbeat.js';
import { inAttempts } from '../attempts/resumable.js';
import { resumed } from './progress.js';
import { listsOf, progressOf, walk, type Sweep } from './walk.js';
import { createVisibility } from '../temporal/visibility.js';
import type { EventResource } from '../../domain/resources.js';
import type { Dependencies } from '../dependencies.js';

export interface SweepTask {
  resource: EventResource;
  connectionId: string;
  /** The differences that the previous sweep found. */
  before: readonly Difference[];
}

/**
 * @returns the activity. It returns the report, which also states if a person must act before we can call the provider.
 * @throws ApplicationFailure as other reads do. The next attempt continues after the last page that was read.
 */
export const sweepListActivity =
  (deps: Dependencies, visibility = createVisibility(deps.temporal)) =>
  ({ resource, connectionId, before }: SweepTask): Promise<SweepReport> => {
    const { info } = Context.current();
    const blank = newReport(connectionId, new Date(info.scheduledTimestampMs).toISOString());
    const { left, ...progress } = resumed(detailsWith('report'), blank);
    const sweep: Sweep = {
      ...{ deps, visibility, resource, connectionId, progress },
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

/**
 * After a refused list, the next attempt starts from the beginning: the cursor may have expired. If the first page was refused, it does not
 * filter by state, because the provider may not support that. After a refused single read, it continues there.
 */
function afterRefusal({ progress, ...sweep }: Sweep, blank: SweepReport): Sweep['progress'] {
  const { list = 0, next, isWhole = false, beginnings } = progress;
  if (list >= listsOf({ ...sweep, progress }).length) return progress;
  return { report: blank, beginnings, isWhole: isWhole || next === undefined };
}
