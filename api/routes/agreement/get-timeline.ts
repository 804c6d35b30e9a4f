import { z } from 'zod';
import { NOTHING_OLDER, isAfter, placeOf, timelinePage } from '../../../domain/facts/timeline.js';
import type { Place, Reached, Timeline } from '../../../domain/facts/timeline.js';
import type { HistoryQuestion } from '../../../workflows/history/contract.js';
import { TimelineAnswer, factsAnswer } from './timeline-answer.schema.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { agreementLinks, nextPage } from '../links.js';
import { Key, readCursor, writeCursor } from '../../http/paging.js';
import { TimelineQuery, UidParams } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'get',
  path: '/v1/agreements/{uid}/timeline',
  operationId: 'getTimeline',
  tags: ['agreements'],
  summary: 'Get the timeline of an agreement: all facts and their sources',
  description:
    'Returns the stored facts, which are the newest 200 or so. If there were older ones, `links.older` returns the whole timeline ' +
    'from its first fact: we read older facts from the provider’s history (at most its newest 5000 events), and later pages ' +
    'continue with the stored facts. Older look-ups and commands are not in that history and are lost.',
  access: 'read',
  connection: 'agreement',
  request: { params: UidParams, query: TimelineQuery },
  answers: { 200: json('A page of facts, oldest first.', TimelineAnswer) },
  problems: [404, 409, 502, 503],
});

export const getTimeline = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  const { per_page, cursor, from } = c.req.valid('query');
  const position = positionIn({ cursor, from });
  const timeline = found(await temporal.agreements.timeline(uid), 'an agreement');

  c.set('personalValues', timeline.personalValues ?? []);
  const question = olderQuestion(uid, timeline, position);
  const older = question === undefined ? NOTHING_OLDER : await temporal.agreements.older(question);
  const at = { after: position.after, since: question?.since, limit: per_page };
  const { facts, next } = timelinePage(timeline.facts, older, at);

  const path = agreementLinks(temporalUi, uid).timeline;
  const isBack = question !== undefined || !hasOlder(timeline);
  const links = {
    ...nextPage(path, { per_page }, writePosition(next)),
    ...(isBack ? {} : { older: `${path}?from=beginning&per_page=${per_page}` }),
  };
  const data = factsAnswer(facts, timeline);
  return c.json({ data, older_count: timeline.olderCount, links }, 200);
});

/** The position of a reader. Both fields are undefined at the start. */
interface Position {
  after: Place | undefined;
  older: Reached['older'] | undefined;
}

/** The last returned fact. For older facts also the start of the current history answer, or null for the first one. */
const OlderKey = z.tuple([z.string(), z.string(), Key.nullable()]);

/** @throws ApiError `invalid_request` for a cursor that no timeline issued. */
function positionIn(query: { cursor?: string | undefined; from?: 'beginning' | undefined }): Position {
  const { cursor, from } = query;
  if (cursor === undefined) return { after: undefined, older: from === undefined ? undefined : {} };
  const [publishedAt, id, since] = readCursor(z.union([OlderKey, Key]), cursor);
  const after: Place = [publishedAt, id];
  return { after, older: since === undefined ? undefined : { since: since ?? undefined } };
}

function writePosition(reached: Reached | undefined): string | undefined {
  if (reached === undefined) return undefined;
  const { after, older } = reached;
  return writeCursor(older === undefined ? after : [...after, older.since ?? null]);
}

/** Whether older facts exist that we no longer store, and a connection to fetch them with. */
const hasOlder = ({ olderCount, connectionId }: Timeline): boolean =>
  olderCount > 0 && connectionId !== undefined;

/**
 * The request to the provider's history for this page. Undefined if we store the whole page. A reader was overtaken if we have
 * dropped the facts that follow their position.
 */
function olderQuestion(
  uid: string,
  timeline: Timeline,
  { after, older }: Position,
): HistoryQuestion | undefined {
  const { facts: stored, connectionId } = timeline;
  const [oldest] = stored;
  const newest = stored.at(-1);
  if (!hasOlder(timeline) || connectionId === undefined || oldest === undefined || newest === undefined)
    return undefined;
  const isOvertaken = after !== undefined && isAfter(placeOf(oldest), after);
  if (older === undefined && !isOvertaken) return undefined;
  const since = older === undefined ? after : older.since;
  return { uid, connectionId, since, before: placeOf(newest), stored: stored.map(({ id }) => id) };
}
