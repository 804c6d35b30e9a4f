// The feed of events: pages or a stream, and single events.
import { z } from 'zod';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { prefers } from '../../http/accept.js';
import { mayUse } from '../../http/caller.js';
import { RecordedUntil } from '../../http/answer-parts.schema.js';
import { READ, contract, endpoint, json, recorded, type Endpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { found, notFound } from '../../http/problems/errors.js';
import { pathOf } from '../links.js';
import { traceOf } from '../../../telemetry/logger.js';
import { Event, answerOrShell, type EventReader } from './answer.schema.js';
import { createFeed } from './feed.js';
import { OLDEST, positionAt, readPosition, writePosition, type Position } from './position.js';
import { EventsQuery, filterOf } from './query.schema.js';
import { createRenderer, streamEvents } from './stream.js';

const STREAM = 'text/event-stream';
const LAST_EVENT_ID = 'Last-Event-ID';

export const EventsAnswer = z
  .object({
    data: z.array(Event),
    recorded_until: RecordedUntil,
    up_to_date: z.boolean().meta({ description: 'True if there are no more events for now.' }),
    links: z
      .object({
        next: z
          .string()
          .meta({ description: 'The next page. Also on the newest page: store it, and ask again.' }),
      })
      .meta({ id: 'EventsLinks' }),
  })
  .meta({ id: 'EventsAnswer' });
const EventAnswer = z.object({ data: Event }).meta({ id: 'EventAnswer' });

const LastEventId = z.object({
  [LAST_EVENT_ID]: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,400}$/, 'expected the id of a streamed event')
    .optional()
    .meta({
      description:
        'Where a stream continues: the `id` of the last event that you received. It overrules `cursor` and `since`.',
    }),
});

const listed = contract({
  ...READ,
  path: '/v1/events',
  operationId: 'listEvents',
  tags: ['events'],
  summary: 'List events, wait for them, or follow them as a stream',
  description:
    'Call this to learn what has happened, instead of polling each resource: handle the events of a page, store `links.next`, and request it next; `wait` waits for the next event. ' +
    'Events come oldest first. A reader that follows `links.next` misses no event and gets none twice. Without a cursor, pages begin at the oldest event. ' +
    `With \`Accept: ${STREAM}\`, the answer is a stream of server-sent events that begins now, unless a cursor or \`since\` says otherwise; the \`id\` of each event is a cursor. ` +
    'A key that is bound to connections gets only their events.',
  task: 'events.md#read-pages',
  connection: 'filtered',
  request: { query: EventsQuery, headers: LastEventId },
  answers: {
    200: recorded({
      description: 'The answer is a page of events, or the stream.',
      content: { ...json('', EventsAnswer).content, [STREAM]: { schema: z.string() } },
    }),
  },
  problems: [410, 503],
});

const listEvents = endpoint(listed, (dependencies) => {
  const { progress, bridge } = dependencies;
  const [feed, render] = [createFeed(dependencies), createRenderer()];
  const onUnreadable = logOnce(dependencies);
  return async (c) => {
    const query = c.req.valid('query');
    const key = c.get('apiKey');
    const filter = filterOf(query, key?.connections);
    const reader = readerOf(c, dependencies, onUnreadable);
    if (key !== undefined && prefers(c, STREAM)) {
      const lastEventId = c.req.valid('header')[LAST_EVENT_ID];
      const start = () => startOfStream(dependencies, query, lastEventId);
      return streamEvents(c, dependencies, { feed, render }, { key, filter, start, reader });
    }
    const recordedUntil = progress.recordedUntil() ?? null;
    const { page, after } = await feed.readOrWait(
      { from: (await givenPosition(dependencies, query)) ?? OLDEST, filter, limit: query.per_page },
      { seconds: query.wait ?? 0, signal: AbortSignal.any([c.req.raw.signal, bridge.stopping]) },
    );
    const data = await Promise.all(page.events.map((event) => answerOrShell(event, reader)));
    c.set('isMasked', true);
    const next = nextOf(query, c.req.query('type'), after);
    return c.json({ data, recorded_until: recordedUntil, up_to_date: page.isNewest, links: { next } }, 200);
  };
});

const nextOf = (query: EventsQuery, type: string | undefined, after: Position): string => {
  const { connection, resource_type, resource, per_page, wait } = query;
  const cursor = writePosition(after);
  return pathOf('/v1/events', { type, connection, resource_type, resource, per_page, wait, cursor });
};

/** @throws ApiError `invalid_request`, `records_unavailable` */
async function givenPosition(
  { temporal: { events } }: ApiDependencies,
  { cursor, since }: Pick<EventsQuery, 'cursor' | 'since'>,
): Promise<Position | undefined> {
  if (cursor !== undefined) return readPosition(cursor, { parameter: 'cursor' });
  if (since === undefined) return undefined;
  return { place: await events.placeBefore(since), recordedAtMs: Date.parse(since) };
}

/** @throws as `givenPosition` */
async function startOfStream(
  dependencies: ApiDependencies,
  query: EventsQuery,
  lastEventId = '',
): Promise<Position> {
  if (lastEventId !== '') return readPosition(lastEventId, { header: LAST_EVENT_ID });
  const nowMs = dependencies.clock.now();
  const given = await givenPosition(dependencies, query);
  return given ?? positionAt(await dependencies.temporal.events.newest(), nowMs);
}

const got = contract({
  ...READ,
  path: '/v1/events/{event}',
  operationId: 'getEvent',
  tags: ['events'],
  summary: 'Get an event',
  description:
    'Call this if you stored only the id of an event, for example as a receiver of webhooks in the form `thin`. ' +
    '`data` is the resource as it was then: read the resource itself for its present state. ' +
    'An expired event, or one of a connection that your key may not see, is answered with 404.',
  task: 'events.md#read-one-event',
  connection: 'filtered',
  request: {
    params: z.strictObject({
      event: z
        .string()
        .regex(/^[\w-]{1,64}$/, 'expected the id of an event')
        .meta({ description: 'The id of the event, as `id` names it.' }),
    }),
  },
  answers: { 200: recorded(json('The event as it was sent.', EventAnswer)) },
  problems: [404, 503],
});

const getEvent = endpoint(got, (dependencies) => {
  const onUnreadable = logOnce(dependencies);
  return async (c) => {
    const event = found(await dependencies.temporal.events.one(c.req.valid('param').event), 'an event');
    if (!mayUse(c.get('apiKey')?.connections, event.connectionId)) throw notFound('an event');
    const data = await answerOrShell(event, readerOf(c, dependencies, onUnreadable));
    c.set('isMasked', true);
    return c.json({ data }, 200);
  };
});

const readerOf = (
  c: Context<Env>,
  { authorisation, temporalUi }: Pick<ApiDependencies, 'authorisation' | 'temporalUi'>,
  onUnreadable: EventReader['onUnreadable'],
): EventReader => ({
  scopes: c.get('apiKey')?.scopes ?? [],
  neededScopes: authorisation.scopes,
  temporalUi,
  onUnreadable,
});

const MOST_LOGGED = 10_000;

/** Many callers read the same event, again and again. */
function logOnce({ log }: Pick<ApiDependencies, 'log'>): EventReader['onUnreadable'] {
  const logged = new LRUCache<string, true>({ maxSize: MOST_LOGGED, sizeCalculation: () => 1 });
  return ({ id, workflowId }, error) => {
    if (logged.has(id)) return;
    logged.set(id, true);
    log.error('an event could not be read', { event_id: id, workflow_id: workflowId, ...traceOf(error) });
  };
}

export const eventEndpoints: readonly Endpoint[] = [listEvents, getEvent];
