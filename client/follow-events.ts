// Follows the feed of events over one long response or over pages, and resumes after a lost connection.
import { contentOf, requestTo, type Target } from './calls.js';
import { openConnection, Lost, pause, pauseAfter, requireSuccess, type Connection } from './connection.js';
import { createParser } from './event-stream.js';
import { problemOf } from './problem.js';
import type { EventFilter, PaytoEvent } from './event-types.js';

export interface EventsOptions {
  /** Continue after the event that came with this cursor. */
  cursor?: string | undefined;
  /** Without a cursor: start with the events that were recorded at this time (RFC 3339) or later. */
  since?: string | undefined;
  /** Default: all types. */
  types?: readonly EventFilter[] | undefined;
  /** The id of one connection. Default: all that the key may see. */
  connection?: string | undefined;
  /**
   * `stream` (default): one long response, with the least delay. Without `cursor` and `since` it has only new events.
   * `poll`: one request after the other, for networks that cut long responses. Without `cursor` and `since` it starts with the oldest event.
   */
  mode?: 'stream' | 'poll' | undefined;
  /** Ends the iterator. */
  signal?: AbortSignal | undefined;
  /** Called before each pause after a lost connection, with its cause: for your log. */
  onRetry?: ((cause: unknown, pauseMs: number) => void) | undefined;
}

export interface ReceivedEvent {
  event: PaytoEvent;
  /** Store it after you have processed the event. An iterator with it continues here, and repeats at most the events of one page. */
  cursor: string;
}

/** Changes while the reader follows the feed. */
interface Progress {
  cursor: string | undefined;
  /** Since something last arrived. */
  failures: number;
  retryMs: number | undefined;
}

/**
 * The events, oldest first, without an end: it waits for new ones, and resumes after a lost connection, 429 and 5xx.
 * @throws ApiProblem for any other response, such as 401, and 410 if events after the cursor were deleted.
 */
export async function* followEvents(
  target: Target,
  options: EventsOptions = {},
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const { signal, onRetry } = options;
  const read = options.mode === 'poll' ? readPages : readStream;
  const progress: Progress = { cursor: options.cursor, failures: 0, retryMs: undefined };
  while (!isAborted(signal)) {
    const connection = openConnection(signal);
    let lost = new Lost(new Error('the server has ended the response'));
    try {
      yield* read(target, options, progress, connection);
    } catch (error) {
      if (isAborted(signal)) return;
      if (!(error instanceof Lost)) throw error;
      lost = error;
    } finally {
      connection.close();
    }
    if (isAborted(signal)) return;
    const pauseMs = pauseAfter(lost, progress);
    progress.failures += 1;
    onRetry?.(lost.cause, pauseMs);
    await pause(pauseMs, signal);
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

type Read = (
  target: Target,
  options: EventsOptions,
  progress: Progress,
  connection: Connection,
) => AsyncGenerator<ReceivedEvent, void, undefined>;

const PATH = '/v1/events';
const STREAM = 'text/event-stream';

const readStream: Read = async function* (target, options, progress, connection) {
  const params = { query: queryOf(options, progress), header: { accept: STREAM } };
  const request = requestTo(target, 'GET', PATH, { params, signal: connection.signal });
  const response = await connection.within(target.fetch(request));
  const isStream = response.headers.get('content-type')?.startsWith(STREAM) === true;
  if (!response.ok || !isStream) {
    const content = await connection.within(contentOf(response));
    requireSuccess(response, content);
    throw problemOf(response, content);
  }
  const parse = createParser();
  for await (const chunk of connection.chunksOf(response)) {
    for (const { data, id, retryMs } of parse(chunk)) {
      progress.failures = 0;
      progress.retryMs = retryMs ?? progress.retryMs;
      progress.cursor = id ?? progress.cursor;
      if (data === undefined) continue;
      if (progress.cursor === undefined) throw new Error('expected the stream to have a cursor as its id');
      yield { event: JSON.parse(data) as PaytoEvent, cursor: progress.cursor };
    }
  }
};

const WAIT_SECONDS = 30;
const PER_PAGE = 100;
/** The pause after an empty page that came at once. */
const IDLE_MS = 1000;

const readPages: Read = async function* (target, options, progress, connection) {
  for (;;) {
    const before = progress.cursor;
    // Only the end of a page has a cursor. So the first page has one event, and later ones repeat theirs if you stop in between.
    const query = { ...queryOf(options, progress), wait: WAIT_SECONDS, per_page: before ? PER_PAGE : 1 };
    const request = requestTo(target, 'GET', PATH, { params: { query }, signal: connection.signal });
    const requestedAtMs = performance.now();
    const response = await connection.within(target.fetch(request));
    const content = await connection.within(contentOf(response));
    requireSuccess(response, content);
    const { data, next } = pageIn(content, response);
    progress.failures = 0;
    for (const [index, event] of data.entries())
      yield { event, cursor: index === data.length - 1 ? next : (before ?? next) };
    progress.cursor = next;
    const wasIdle = data.length === 0 && performance.now() - requestedAtMs < IDLE_MS;
    if (wasIdle) await pause(IDLE_MS, options.signal);
    if (isAborted(options.signal)) return;
  }
};

function pageIn(content: unknown, response: Response): { data: PaytoEvent[]; next: string } {
  if (typeof content !== 'object' || content === null) throw problemOf(response, content);
  const { data, links } = content as { data: PaytoEvent[]; links: { next: string } };
  const next = new URLSearchParams(links.next.split('?')[1]).get('cursor');
  if (next === null) throw new Error('expected links.next of a page of events to have a cursor');
  return { data, next };
}

const queryOf = ({ since, types, connection }: EventsOptions, { cursor }: Progress) => ({
  cursor,
  since: cursor === undefined ? since : undefined,
  type: types?.join(','),
  connection,
});
