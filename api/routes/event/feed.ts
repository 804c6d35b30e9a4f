// Reads pages of the feed of events for requests and streams: from the tail of this process if that reaches back to them, or from the records.
import pLimit, { type LimitFunction } from 'p-limit';
import type { EventFilter, EventsPage } from '../../../records/events.js';
import { noneIfAway } from '../../gateway/records.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { createEventTail, type Follower } from '../../http/event-tail.js';
import { assertNotExpired, positionAfter, type Position } from './position.js';

/** How many pages are read from the records at a time. Streams that are behind, for example after all were lost, have their own queue. */
const READS_AT_ONCE = { pages: 4, streams: 2 };
/** How long a page looks for an event that matches its filter. */
const WALK_MS = 2000;

export interface FeedRequest {
  from: Position;
  filter: EventFilter;
  limit: number;
}

export interface FeedPage {
  page: EventsPage;
  /** Where the next page begins. */
  after: Position;
}

interface Waiting {
  seconds: number;
  /** Aborts when the caller disconnects, or this process shuts down. */
  signal: AbortSignal;
}

/** Who reads. */
interface By {
  queue: LimitFunction;
  follower?: Follower;
}

export interface Feed {
  /** For a stream. @throws ApiError `events_expired`, `records_unavailable`; SealError `unknown_key` */
  read: (request: FeedRequest, follower: Follower) => Promise<FeedPage>;
  /** For a page. Waits for events if there are none after the position yet. @throws as `read`; during the wait, an outage counts as no events. */
  readOrWait: (request: FeedRequest, waiting: Waiting) => Promise<FeedPage>;
  follow: () => Follower;
}

export function createFeed({
  temporal: { events },
  changes,
  clock,
  log,
  bridge: { stopping },
}: Pick<ApiDependencies, 'temporal' | 'changes' | 'clock' | 'log' | 'bridge'>): Feed {
  const tail = createEventTail({ events, changes, clock, log, stopping });
  const [pages, streams] = [pLimit(READS_AT_ONCE.pages), pLimit(READS_AT_ONCE.streams)];

  async function readOnce({ from, filter, limit }: FeedRequest, { queue, follower }: By): Promise<FeedPage> {
    const request = { after: from.place, filter, limit };
    const followed = follower?.read(request);
    const readAtMs = followed?.readAtMs ?? clock.now();
    const page = followed ?? (await queue(() => events.page(request)));
    assertNotExpired(page, from);
    return { page, after: positionAfter(page, from, readAtMs) };
  }

  async function read(request: FeedRequest, by: By): Promise<FeedPage> {
    const endMs = clock.now() + WALK_MS;
    let read = await readOnce(request, by);
    while (isWalking(read) && clock.now() < endMs)
      read = await readOnce({ ...request, from: read.after }, by);
    return read;
  }

  async function readOrWait(request: FeedRequest, { seconds, signal }: Waiting): Promise<FeedPage> {
    const endMs = clock.now() + seconds * 1000;
    let found = await read(request, { queue: pages });
    if (seconds === 0 || !isQuiet(found)) return found;
    const follower = tail.follow();
    const readOn = () =>
      read({ ...request, from: found.after }, { queue: pages, follower }).catch(noneIfAway);
    try {
      // Also before the first pause, because an event may have come before the follower did.
      while (!signal.aborted) {
        found = (await readOn()) ?? found;
        const leftMs = endMs - clock.now();
        if (!isQuiet(found) || leftMs <= 0) return found;
        await follower.changed(leftMs, signal);
      }
      return found;
    } finally {
      follower.stop();
    }
  }

  return {
    read: (request, follower) => read(request, { queue: streams, follower }),
    readOrWait,
    follow: tail.follow,
  };
}

const isWalking = ({ page }: FeedPage): boolean => page.events.length === 0 && !page.isNewest;
const isQuiet = ({ page }: FeedPage): boolean => page.events.length === 0 && page.isNewest;
