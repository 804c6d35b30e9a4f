// What a sweep heartbeats, so that the attempt after it goes on where it stopped. Plain JSON.
import type { SweepReport } from '../../domain/sweep.js';

export interface Progress {
  /** Of all pages read. */
  report: SweepReport;
  /** Where the next page begins. */
  next?: string | undefined;
  /** Ours that were open when the list was begun, and that no page has shown so far; absent where they were too many. */
  left?: readonly string[] | undefined;
  /** How often the provider has refused the list, or a page of it. */
  rejections?: number | undefined;
}

/** So many fit into a heartbeat: with the longest uids a third of a megabyte, sealed each time that it is sent. */
export const LEFT_CARRIED = 5000;

/** What an attempt before this one had read; from the beginning where it had read nothing or everything. */
export function resumed(details: unknown, blank: SweepReport): Progress {
  if (!isProgress(details)) return { report: blank };
  return details.next === undefined ? { report: blank, rejections: details.rejections } : details;
}

const isProgress = (details: unknown): details is Progress =>
  typeof details === 'object' && details !== null && 'report' in details;
