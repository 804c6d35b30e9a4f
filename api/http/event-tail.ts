// The newest events, read once for all followers of this process: streams, and requests that wait for an event.
import type { EventsGateway } from '../gateway/events.js';
import { noneIfAway } from '../gateway/records.js';
import { isAfter, type EventFilter, type EventsPage, type RecordedEvent } from '../../records/events.js';
import type { Place } from '../../records/feed.js';
import { createPause, type Changes, type Watcher } from '../../records/watchers.js';
import { traceOf, type Logger } from '../../telemetry/logger.js';
import type { Clock } from './wait.js';

export interface EventTail {
  follow: () => Follower;
}

export interface Follower {
  /** The next events. Undefined: the tail does not reach back to the place, so read them from the records. */
  read: (request: TailRequest) => (EventsPage & { readAtMs: number }) | undefined;
  /** As of a watcher: there may be new events. Also after an outage of the records. */
  changed: Watcher['changed'];
  /** Reading ends with the last follower. */
  stop: () => void;
}

interface TailRequest {
  after: Place;
  filter: EventFilter;
  limit: number;
}

interface Options {
  events: Pick<EventsGateway, 'page' | 'newest'>;
  changes: Pick<Changes, 'watchAll'>;
  clock: Clock;
  log: Logger;
  /** Aborts when this process shuts down. */
  stopping: AbortSignal;
}

/** How many events it has at most: about 20 MB. */
const MOST_EVENTS = 2000;
/** Older events are read from the records, where their personal data may have been erased since. */
const MOST_AGE_MS = 60_000;
const READ_AT_ONCE = 200;
/** An event becomes readable only after older transactions have ended, which nothing notifies. */
const READ_EVERY_MS = 1000;
/** So many changes at once cause one read. */
const GAP_MS = 50;

/** Reads while it has followers, beginning at the place that is the newest at the first one. */
export function createEventTail(options: Options): EventTail {
  const followers = new Set<() => void>();
  let run: Run | undefined;
  return {
    follow: () => {
      const { changed, notify } = createPause();
      followers.add(notify);
      run ??= startRun(options, () => followers.forEach((one) => one()));
      return {
        changed,
        read: (request) => run?.read(request),
        stop: () => {
          if (!followers.delete(notify) || followers.size > 0) return;
          run?.stop();
          run = undefined;
        },
      };
    },
  };
}

interface Run {
  read: Follower['read'];
  stop: () => void;
}

function startRun({ events, changes, clock, log, stopping }: Options, notifyAll: () => void): Run {
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopped.signal, stopping]);
  const watcher = changes.watchAll();
  let tail: Tail | undefined;
  let isAway = false;
  const turn = async (): Promise<void> => {
    try {
      const isFirst = tail === undefined;
      tail ??= newTail(await events.newest(), clock.now());
      const hasGrown = await readOn(tail, events, clock);
      if (hasGrown || isFirst || isAway) notifyAll();
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn('reading new events failed', traceOf(error));
      isAway = true;
      if (isOfRecords(error)) return;
      // A key is missing. The followers must read the records themselves, and fail too, instead of looking healthy.
      tail = undefined;
      notifyAll();
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await turn();
      await clock.pause(GAP_MS, signal);
      await watcher.changed(READ_EVERY_MS, signal);
    }
    watcher.stop();
  };
  void run();
  return {
    read: (request) => tail && readTail(dropOld(tail, clock.now()), request),
    stop: () => stopped.abort(),
  };
}

function isOfRecords(error: unknown): boolean {
  try {
    noneIfAway(error);
    return true;
  } catch {
    return false;
  }
}

interface Tail {
  /** It has all events after this place. */
  from: Place;
  /** Until this place. */
  until: Place;
  events: RecordedEvent[];
  /** Epoch milliseconds at which each of them was read. */
  eventsReadAtMs: number[];
  /** Epoch milliseconds at which it was read until there. */
  readAtMs: number;
  expiredBefore: EventsPage['expiredBefore'];
}

const newTail = (place: Place, readAtMs: number): Tail => ({
  readAtMs,
  from: place,
  until: place,
  events: [],
  eventsReadAtMs: [],
  expiredBefore: undefined,
});

/** Reads all new events. @returns whether there were any. */
async function readOn(tail: Tail, { page }: Options['events'], { now }: Clock): Promise<boolean> {
  let hasGrown = false;
  for (let isNewest = false; !isNewest;) {
    const readAtMs = now();
    const read = await page({ after: tail.until, limit: READ_AT_ONCE });
    hasGrown ||= read.events.length > 0;
    append(tail, read, readAtMs);
    isNewest = read.isNewest;
  }
  return hasGrown;
}

function append(tail: Tail, { events, next, expiredBefore }: EventsPage, readAtMs: number): void {
  tail.events.push(...events);
  tail.eventsReadAtMs.push(...events.map(() => readAtMs));
  Object.assign(tail, { until: next, expiredBefore, readAtMs });
  dropFirst(tail, tail.events.length - MOST_EVENTS);
  dropOld(tail, readAtMs);
}

function dropOld(tail: Tail, nowMs: number): Tail {
  const isKept = (readAtMs: number): boolean => readAtMs > nowMs - MOST_AGE_MS;
  const firstKept = tail.eventsReadAtMs.findIndex(isKept);
  return dropFirst(tail, firstKept === -1 ? tail.events.length : firstKept);
}

function dropFirst(tail: Tail, count: number): Tail {
  if (count <= 0) return tail;
  tail.eventsReadAtMs.splice(0, count);
  tail.from = tail.events.splice(0, count).at(-1)?.place ?? tail.from;
  return tail;
}

/** As `readEvents` would read them from the records. */
function readTail(tail: Tail, { after, filter, limit }: TailRequest): ReturnType<Follower['read']> {
  const { from, until, events, expiredBefore, readAtMs } = tail;
  if (isAfter(from, after)) return undefined;
  const found: RecordedEvent[] = [];
  // From the end, because followers are usually near it.
  let index = events.findLastIndex(({ place }) => !isAfter(place, after)) + 1;
  for (; index < events.length && found.length < limit; index += 1) {
    const event = events[index];
    if (event !== undefined && isMatch(event, filter)) found.push(event);
  }
  const shared = { events: found, expiredBefore, readAtMs };
  const last = found.length === limit ? found.at(-1) : undefined;
  if (last !== undefined) return { ...shared, next: last.place, isNewest: false };
  return { ...shared, next: isAfter(until, after) ? until : after, isNewest: true };
}

const isMatch = (event: RecordedEvent, { types, connections, resource, uid }: EventFilter): boolean =>
  (types === undefined || types.includes(event.type)) &&
  (connections === undefined ||
    (event.connectionId !== undefined && connections.includes(event.connectionId))) &&
  (resource === undefined || event.resource === resource) &&
  (uid === undefined || event.uid === uid);
