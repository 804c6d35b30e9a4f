// One page of a timeline, as the routes of all resources answer it.
import { z } from 'zod';
import { ENTRY_KINDS } from '../../../domain/records/batch.js';
import { workflowIdOf } from '../../../domain/resources.js';
import type { RecordedEntry } from '../../../records/read.js';
import type { Gateway } from '../../gateway/create.js';
import type { Recordable } from '../../gateway/records.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { openCursor, readCursor, sealCursor, writeCursor } from '../../http/paging.js';
import { nextPage } from '../links.js';
import { entryAnswer, type TimelineAnswer } from './answer.schema.js';

/** The place of the last entry of a page. */
const Place = z.object({ sequence: z.int(), kind: z.enum(ENTRY_KINDS) });

interface TimelinePage {
  page: z.output<typeof TimelineAnswer>;
  /** What the entries contain, to find personal values in it. */
  contents: RecordedEntry['data'][];
}

type TimelineDependencies = Pick<ApiDependencies, 'sessionKeys' | 'progress'> & {
  temporal: Pick<Gateway, 'timeline'>;
};

/** @param path of the route, for the link to the next page. @returns undefined if the resource does not exist. */
export async function timelineAnswer(
  { temporal: { timeline }, sessionKeys, progress }: TimelineDependencies,
  of: Recordable,
  { per_page: limit, cursor }: { per_page: number; cursor?: string | undefined },
  path: string,
): Promise<TimelinePage | undefined> {
  const list = `timeline/${workflowIdOf(of.resource, of.uid)}`;
  const place = openCursor(sessionKeys, list, cursor);
  const after = place === undefined ? undefined : readCursor(Place, place);
  const recordedUntil = progress.recordedUntil() ?? null;
  const read = await timeline(of, { after, limit });
  if (read === undefined) return undefined;
  const { entries, next, isWhole } = read;
  const complete = isWhole && !progress.isStale();
  const links = nextPage(path, { per_page: limit }, sealCursor(sessionKeys, list, next && writeCursor(next)));
  return {
    page: {
      data: entries.map((entry) => entryAnswer(of.resource, entry)),
      complete,
      recorded_until: recordedUntil,
      links,
    },
    contents: entries.map(({ data }) => data),
  };
}
