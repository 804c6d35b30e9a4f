// What a sweep heartbeats, so that the attempt after it goes on where it stopped. Plain JSON.
import type { SweepReport } from '../../domain/facts/sweep.js';

export interface Progress {
  /** Of all pages read. */
  report: SweepReport;
  /** How many lists have been read to their end. */
  list?: number | undefined;
  /** Where the next page of the list under way begins. */
  next?: string | undefined;
  /** Ours that were open when the sweep was begun, and that no page has shown so far; absent where they were too many. */
  left?: readonly string[] | undefined;
  /** How often the provider has refused a list, a page of it, or one of those that were asked for. */
  refusals?: number | undefined;
  /** The provider does not narrow its lists by state. */
  isWhole?: boolean | undefined;
  /** How often a sweep began anew as it did not know any more which of ours it had not met. */
  beginnings?: number | undefined;
}

/** So many fit into a heartbeat: with the longest uids a third of a megabyte, sealed each time that it is sent. */
export const LEFT_CARRIED = 5000;
/** A worker that is replaced again and again must not keep a sweep from its end: then some stay unmet until the next one. */
const STARTED_ANEW_AT_MOST = 3;

/** What an attempt before this one had read; from the beginning where it had read nothing, or too much to carry. */
export function resumed(details: unknown, blank: SweepReport): Progress {
  if (!isProgress(details)) return { report: blank };
  const { refusals, isWhole, beginnings = 0 } = details;
  if (isAtTheBeginning(details)) return { report: blank, refusals, isWhole, beginnings };
  if (details.left === undefined && beginnings < STARTED_ANEW_AT_MOST)
    return { report: blank, refusals, isWhole, beginnings: beginnings + 1 };
  return details;
}

export const isAtTheBeginning = ({ report }: Progress): boolean => report.pages === 0;

const isProgress = (details: unknown): details is Progress =>
  typeof details === 'object' && details !== null && 'report' in details;
