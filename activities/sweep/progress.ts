// The heartbeat details of a sweep, as plain JSON: the next attempt continues from here.
import type { SweepReport } from '../../domain/sweep/comparison.js';

export interface Progress {
  report: SweepReport;
  /** How many lists have been read completely. */
  list?: number | undefined;
  /** The cursor of the next page in the current list. */
  next?: string | undefined;
  /** Uids with an open run when the sweep started that no page has shown yet; absent if there were too many. */
  left?: readonly string[] | undefined;
  /** How often the provider has refused a list, a page, or a single read. */
  refusals?: number | undefined;
  /** The provider does not support the filter by state. */
  isWhole?: boolean | undefined;
  /** How often the sweep has restarted because it no longer knew which uids it had seen. */
  beginnings?: number | undefined;
}

/** How many uids fit into a heartbeat. With the longest uids that is a third of a megabyte, which is sealed for every heartbeat. */
export const LEFT_CARRIED = 5000;
/** Limits restarts, so that frequent worker restarts cannot block a sweep. The uids not seen then wait for the next sweep. */
const STARTED_ANEW_AT_MOST = 3;

/** Where to continue: from the previous attempt, or from the beginning if it read nothing or could not carry its uids. */
export function resumed(details: Progress | undefined, blank: SweepReport): Progress {
  if (details === undefined) return { report: blank };
  const { refusals, isWhole, beginnings = 0 } = details;
  if (isAtTheBeginning(details)) return { report: blank, refusals, isWhole, beginnings };
  if (details.left === undefined && beginnings < STARTED_ANEW_AT_MOST)
    return { report: blank, refusals, isWhole, beginnings: beginnings + 1 };
  return details;
}

export const isAtTheBeginning = ({ report }: Progress): boolean => report.pages === 0;
