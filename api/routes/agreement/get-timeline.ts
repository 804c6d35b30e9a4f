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
  summary: 'Every fact that was received of an agreement, and how',
  description:
    'The newest facts are kept here, some 200, and are what this begins with. Where there were others before them, ' +
    '`links.older` leads to the whole timeline from its beginning: what is no longer kept is then read from the history ' +
    'that the provider keeps (of it the newest 5000 events), and follow-up pages go on into what is kept. What only we ' +
    'knew of the older ones, look-ups and commands, is not at the provider and is gone.',
  access: 'read',
  connection: 'agreement',
  request: { params: UidParams, query: TimelineQuery },
  answers: { 200: json('One page of facts, the oldest first.', TimelineAnswer) },
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

/** As far as a reader has come; one who begins has reached nothing yet. */
interface Position {
  after: Place | undefined;
  older: Reached['older'] | undefined;
}

/** The last fact given; while the reader is among older ones also since where the answer reaches, null for the very first. */
const OlderKey = z.tuple([z.string(), z.string(), Key.nullable()]);

/** @throws ApiError `invalid_request` for a cursor that is none of a timeline's. */
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

/** Whether there are facts that are no longer kept, and a connection by which the provider can be asked for them. */
const hasOlder = ({ olderCount, connectionId }: Timeline): boolean =>
  olderCount > 0 && connectionId !== undefined;

/**
 * What to ask the provider's history for this page; undefined where all of it is kept. A reader who stands before all
 * that is kept was overtaken: what they would have read next is no longer kept.
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
