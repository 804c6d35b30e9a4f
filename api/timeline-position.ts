// Where a reader of a timeline stands, as cursors carry it, and whether that is among facts that are no longer kept here.
import { z } from 'zod';
import { isAfter, placeOf } from '../domain/timeline.js';
import type { Place, Reached } from '../domain/timeline.js';
import type { Timeline } from '../workflows/agreement/contract.js';
import type { HistoryQuestion } from '../workflows/history/contract.js';
import { Key, readCursor, writeCursor } from './paging.js';

/** As far as a reader has come; one who begins has reached nothing yet. */
export interface Position {
  after: Place | undefined;
  older: Reached['older'] | undefined;
}

/** The last fact given; while the reader is among older ones also since where the answer reaches, null for the very first. */
const OlderKey = z.tuple([z.string(), z.string(), Key.nullable()]);

/** @throws ApiError `invalid_request` for a cursor that is none of a timeline's. */
export function positionIn(query: { cursor?: string | undefined; from?: 'beginning' | undefined }): Position {
  const { cursor, from } = query;
  if (cursor === undefined) return { after: undefined, older: from === undefined ? undefined : {} };
  const [publishedAt, id, since] = readCursor(z.union([OlderKey, Key]), cursor);
  const after: Place = [publishedAt, id];
  return { after, older: since === undefined ? undefined : { since: since ?? undefined } };
}

export function writePosition(reached: Reached | undefined): string | undefined {
  if (reached === undefined) return undefined;
  const { after, older } = reached;
  return writeCursor(older === undefined ? after : [...after, older.since ?? null]);
}

/** Whether there are facts that are no longer kept, and somebody who can be asked for them. */
export const hasOlder = ({ olderCount, connectionId }: Timeline): boolean =>
  olderCount > 0 && connectionId !== undefined;

/**
 * What to ask the provider's history for this page; undefined where all of it is kept. A reader who stands before all
 * that is kept was overtaken: what they would have read next is no longer kept.
 */
export function olderQuestion(
  uid: string,
  timeline: Timeline,
  { after, older }: Position,
): HistoryQuestion | undefined {
  const { facts: kept, connectionId } = timeline;
  const [oldest] = kept;
  const newest = kept.at(-1);
  if (!hasOlder(timeline) || connectionId === undefined || oldest === undefined || newest === undefined)
    return undefined;
  const isOvertaken = after !== undefined && isAfter(placeOf(oldest), after);
  if (older === undefined && !isOvertaken) return undefined;
  const since = older === undefined ? after : older.since;
  return { uid, connectionId, since, before: placeOf(newest), kept: kept.map(({ id }) => id) };
}
