// The feed of events as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
import { isDeepStrictEqual } from 'node:util';
import type { Context } from 'hono';
import type { EventFilter, EventsPage, RecordedEvent } from '../../../records/events.js';
import { noneIfAway } from '../../gateway/records.js';
import type { ApiKey } from '../../http/api-keys.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import type { Follower } from '../../http/event-tail.js';
import { ApiError } from '../../http/problems/errors.js';
import { streamed } from '../../http/streamed.js';
import { answerOrShell, type EventReader } from './answer.schema.js';
import type { Feed, FeedPage } from './feed.js';
import { positionAt, writePosition, type Position } from './position.js';

/** A slow listener is not sent more than this ahead. */
const PAGE = 20;
/** Shorter than the idle time of proxies. */
const KEEP_ALIVE_MS = 15_000;
/** How soon a listener connects again after the stream was lost. */
const RETRY_MS = 2000;
/** How long a listener has to take the last part at the end of this process. */
const LAST_PART_MS = 500;
/** How soon a listener that is behind reads again after an outage of the records. */
const AWAY_MS = 1000;

/** @returns the event as it is sent. Made once for all listeners with the same scopes. */
export type RenderEvent = (
  event: RecordedEvent,
  reader: EventReader,
  expiredBefore: EventsPage['expiredBefore'],
) => Promise<string>;

export function createRenderer(): RenderEvent {
  const textsOf = new WeakMap<RecordedEvent, Map<string, Promise<string>>>();
  return (event, reader, expiredBefore) => {
    const texts = textsOf.get(event) ?? new Map<string, Promise<string>>();
    textsOf.set(event, texts);
    const variant = [...reader.scopes, expiredBefore].join(' ');
    const text = texts.get(variant) ?? renderEvent(event, reader, expiredBefore);
    texts.set(variant, text);
    return text;
  };
}

const renderEvent: RenderEvent = async (event, reader, expiredBefore) => {
  const id = writePosition(positionAt(event.place, Date.parse(event.recordedAt), expiredBefore));
  const data = JSON.stringify(await answerOrShell(event, reader));
  return `id: ${id}\nevent: ${event.type}\ndata: ${data}\n\n`;
};

export interface Listening {
  key: ApiKey;
  filter: EventFilter;
  start: () => Promise<Position>;
  reader: EventReader;
}

type Dependencies = Pick<ApiDependencies, 'waits' | 'bridge' | 'keys' | 'clock' | 'log'>;

/**
 * Answers with events until the caller disconnects, its key changes, or this process shuts down.
 * @throws ApiError `too_many_requests`, and those of the first page: later ones cannot be answered.
 */
export async function streamEvents(
  c: Context<Env>,
  { waits, bridge: { stopping }, keys, clock, log }: Dependencies,
  { feed, render }: { feed: Feed; render: RenderEvent },
  { key, filter, start, reader }: Listening,
): Promise<Response> {
  c.header('content-type', 'text/event-stream');
  // Nothing would read the events, and nothing would end the stream.
  if (c.req.method === 'HEAD') return c.body(null);
  const leave = waits.enter(key.id);
  // Before the first page, so that it is notified of everything later.
  const follower = feed.follow();
  const end = endOnce(() => {
    follower.stop();
    leave();
  });
  const signal = AbortSignal.any([c.req.raw.signal, stopping]);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    const from = await start();
    const first = await feed.read({ from, filter, limit: PAGE }, follower);
    const isAllowed = (): boolean => keys().some((one) => isSameKey(one, key));
    const rendered = async ({ events, expiredBefore }: EventsPage): Promise<string> =>
      (await Promise.all(events.map((event) => render(event, reader, expiredBefore)))).join('');
    c.header('x-accel-buffering', 'no');
    // Otherwise an idle connection would delay the shutdown.
    c.header('connection', 'close');
    cutIfUnread(c, stopping);
    return streamed(
      c,
      log,
      partsOf({ from, first, feed, follower, filter, signal, clock, isAllowed, rendered, end }),
    );
  } catch (error) {
    end();
    throw error;
  }
}

interface Stream {
  from: Position;
  first: FeedPage;
  feed: Feed;
  follower: Follower;
  filter: EventFilter;
  signal: AbortSignal;
  clock: ApiDependencies['clock'];
  isAllowed: () => boolean;
  rendered: (page: EventsPage) => Promise<string>;
  end: () => void;
}

/** The next part is made only once the listener has taken the one before. */
async function* partsOf(stream: Stream): AsyncGenerator<string> {
  const { from, first, follower, signal, clock, isAllowed, rendered, end } = stream;
  try {
    // Also where it begins, so that a listener that is cut off before the first event continues here.
    yield `retry: ${RETRY_MS}\nid: ${writePosition(from)}\n\n`;
    let aliveAtMs = clock.now();
    let position = first.after;
    for (let next: Next = first; !signal.aborted && isAllowed(); next = await readNext(stream, position)) {
      if (next === 'expired') return;
      if (next !== 'away') {
        position = next.after;
        const text = await rendered(next.page);
        if (text !== '' && !signal.aborted) {
          yield text;
          aliveAtMs = clock.now();
        }
      }
      const aliveUntilMs = aliveAtMs + KEEP_ALIVE_MS - clock.now();
      if (next === 'away') await follower.changed(AWAY_MS, signal);
      else if (next.page.isNewest) await follower.changed(Math.max(aliveUntilMs, 0), signal);
      if (clock.now() - aliveAtMs < KEEP_ALIVE_MS) continue;
      yield keepAlive(position);
      aliveAtMs = clock.now();
    }
  } finally {
    end();
  }
}

/** `expired`: the listener is so slow that its next events were deleted. Its next request is answered with the problem. */
type Next = FeedPage | 'away' | 'expired';

async function readNext({ feed, follower, filter }: Stream, from: Position): Promise<Next> {
  try {
    return await feed.read({ from, filter, limit: PAGE }, follower);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'events_expired') return 'expired';
    noneIfAway(error);
    return 'away';
  }
}

/** An id without data moves the place at which a listener continues, and it dispatches nothing. */
const keepAlive = (position: Position): string => `: keep-alive\nid: ${writePosition(position)}\n\n`;

/** A key with other scopes or connections sees other events, so its listener has to connect again. */
const isSameKey = (one: ApiKey, other: ApiKey): boolean =>
  one.id === other.id &&
  one.sha256.reveal().equals(other.sha256.reveal()) &&
  isDeepStrictEqual([one.scopes, one.connections], [other.scopes, other.connections]);

/** A listener that has not taken its last part soon would delay the shutdown. */
function cutIfUnread({ env }: Context<Env>, stopping: AbortSignal): void {
  const { outgoing } = (env as Partial<Env['Bindings']> | undefined) ?? {};
  if (outgoing === undefined) return; // A test without a connection.
  const cut = (): void => {
    const timer = setTimeout(() => outgoing.destroy(), LAST_PART_MS);
    outgoing.once('close', () => clearTimeout(timer));
  };
  stopping.addEventListener('abort', cut, { once: true });
  outgoing.once('close', () => stopping.removeEventListener('abort', cut));
}

function endOnce(end: () => void): () => void {
  let hasEnded = false;
  return () => {
    if (!hasEnded) end();
    hasEnded = true;
  };
}
