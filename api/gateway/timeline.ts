// Reads everything recorded about a resource. Without the records, what its workflow still holds.
import { getRecord } from '../../workflows/contracts/every-workflow.js';
import { workflowIdOf } from '../../domain/resources.js';
import type { Entry } from '../../domain/records/batch.js';
import type { EntryPlace, RecordedEntry } from '../../records/read.js';
import { noneIfAway, type Recordable } from './records.js';
import type { Calls } from './temporal/calls.js';

/** An entry that the records have not stored yet has no time of storage. */
export type TimelineEntry = Entry & Partial<Pick<RecordedEntry, 'recordedAt'>>;

export interface Timeline {
  entries: TimelineEntry[];
  next: EntryPlace | undefined;
  /** False: the records did not answer, so only what the workflow still holds is here. */
  isWhole: boolean;
}

interface PageRequest {
  after: EntryPlace | undefined;
  limit: number;
}

type ReadTimeline = (of: Recordable, page: PageRequest) => Promise<Timeline | undefined>;

/** @throws ApiError `gone` if its record has expired, `records_unavailable` if only the records can tell whether it exists. */
export const timelineOf =
  ({ recorded, ask }: Pick<Calls, 'recorded' | 'ask'>): ReadTimeline =>
  async ({ resource, uid }, page) => {
    const stored = await recorded.ask(({ timeline }) => timeline(resource, uid, page)).catch(noneIfAway);
    if (stored !== undefined && (stored.entries.length > 0 || page.after !== undefined))
      return { ...stored, isWhole: true };
    // A run that found its record gone has nothing to show.
    if (stored !== undefined) await recorded.assertNotGone({ resource, uid });
    const batch = await ask(workflowIdOf(resource, uid), getRecord);
    if (batch !== undefined) return pageOf(batch.entries, page);
    const found = await recorded.ask(({ remembered }) => remembered(resource, uid));
    return found && { ...(stored ?? pageOf([], page)), isWhole: stored !== undefined };
  };

function pageOf(entries: readonly Entry[], { after, limit }: PageRequest): Timeline {
  const sorted = [...entries].sort(compare);
  const rest = after === undefined ? sorted : sorted.filter((entry) => compare(entry, after) > 0);
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  return { entries: page, next: last && { sequence: last.sequence, kind: last.kind }, isWhole: false };
}

const compare = (one: EntryPlace, other: EntryPlace): number =>
  one.sequence - other.sequence || (one.kind < other.kind ? -1 : one.kind === other.kind ? 0 : 1);
