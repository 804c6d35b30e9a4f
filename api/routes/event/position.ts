// Cursors of the feed. They are clear, because callers store them for longer than session keys live. Forged, one only begins elsewhere among the caller's events.
import { z } from 'zod';
import type { Instant } from '../../../domain/facts/fact.js';
import { FEED_START, type EventsPage } from '../../../records/events.js';
import type { Place } from '../../../records/feed.js';
import { readCursor, writeCursor } from '../../http/paging.js';
import { ApiError } from '../../http/problems/errors.js';
import type { FieldProblem } from '../../http/problems/codes.js';

export interface Position {
  place: Place;
  /** Epoch milliseconds. All later events are recorded after this time. Undefined at the oldest event, before which nothing is missed. */
  recordedAtMs: number | undefined;
}

export const OLDEST: Position = { place: FEED_START, recordedAtMs: undefined };

const Cursor = z.tuple([
  z.literal('events'),
  z.int32().min(0),
  z.string().regex(/^\d{1,18}$/),
  z.int().min(0),
  z.int().min(0),
]);

/** An event may be stored after another one, and have an earlier time: that of the begin of its transaction. */
const OVERLAP_MS = 60_000;

/** The position after an event that was recorded then, or after everything that could be read then. */
export const positionAt = (place: Place, recordedAtMs: number, expiredBefore?: Instant): Position => ({
  place,
  recordedAtMs: Math.max(recordedAtMs - OVERLAP_MS, msOf(expiredBefore)),
});

/** The position after a page that began at `from`. */
export function positionAfter(page: EventsPage, from: Position, readAtMs: number): Position {
  const { events, next, isNewest, expiredBefore } = page;
  if (isNewest) return positionAt(next, readAtMs, expiredBefore);
  const last = events.at(-1);
  if (last !== undefined) return positionAt(next, Date.parse(last.recordedAt), expiredBefore);
  // The time of the events that did not match is not read.
  return { place: next, recordedAtMs: from.recordedAtMs ?? msOf(expiredBefore) };
}

const msOf = (instant: Instant | undefined): number => (instant === undefined ? 0 : Date.parse(instant));

export const writePosition = ({ place: [era, transaction, position], recordedAtMs }: Position): string =>
  writeCursor(['events', era, transaction, position, recordedAtMs ?? 0]);

/** @param where the parameter or header that has it. @throws ApiError `invalid_request` */
export function readPosition(cursor: string, where: Pick<FieldProblem, 'parameter' | 'header'>): Position {
  try {
    const [, era, transaction, position, recordedAtMs] = readCursor(Cursor, cursor);
    return { place: [era, transaction, position], recordedAtMs };
  } catch (cause) {
    const detail = 'expected a cursor of a page of events, or the id of a streamed event';
    throw new ApiError(
      'invalid_request',
      'The request is invalid. `errors` lists the fields and parameters.',
      {
        errors: [{ ...where, detail }],
        cause,
      },
    );
  }
}

/** @throws ApiError `events_expired` if events after the position were deleted. */
export function assertNotExpired({ expiredBefore }: EventsPage, { recordedAtMs }: Position): void {
  if (expiredBefore === undefined || recordedAtMs === undefined) return;
  if (msOf(expiredBefore) <= recordedAtMs) return;
  throw new ApiError(
    'events_expired',
    `Events until ${expiredBefore} were deleted, and some of them come after your position. Read the lists of resources with changed_after, and continue with since=${expiredBefore}.`,
  );
}
