// The events that an endpoint for webhooks receives, each as the body of its request.
import { sql } from 'kysely';
import { all, given } from './conditions.js';
import { typesMatching } from '../domain/records/event-type-patterns.js';
import { readEvent, readEvents, type EventFilter, type EventsPage, type RecordedEvent } from './events.js';
import { SealError } from '../sealing/keyring.js';
import type { WebhookEndpoint, WebhookEvent, WebhookRows } from '../domain/records/webhooks.js';
import type { Opened } from './database.js';
import type { Place } from './feed.js';

/** The body of a request, as this endpoint may see the event. */
export type RenderEvent = (
  event: RecordedEvent,
  endpoint: Pick<WebhookEndpoint, 'scopes' | 'form'>,
) => Promise<string>;

export interface Rendering extends Opened {
  render: RenderEvent;
  /** An event that was recorded could not be opened or rendered. It is tried again as one that the receiver did not take. */
  onUnreadable: (error: unknown) => void;
}

type Reads = Pick<WebhookRows, 'nextEvents' | 'waitingEvents' | 'oneEvent'>;

export const createWebhookEvents = (rendering: Rendering): Reads => ({
  nextEvents: (endpoint, cursor, limit) =>
    readPage(rendering, endpoint, {
      ...{ after: cursor.place, until: cursor.until, limit },
      filter: filterOf(endpoint, cursor.types),
    }),
  waitingEvents: (endpoint, cursor, { workflowId, place }, limit) =>
    readPage(rendering, endpoint, {
      ...{ after: place, until: cursor.place, limit },
      filter: { ...filterOf(endpoint, cursor.types), workflowId },
    }),
  oneEvent: async (endpoint, eventId) => {
    const event = await readEvent(rendering, eventId);
    const { connections } = endpoint;
    const isVisible = connections === undefined || connections.includes(event?.connectionId ?? '');
    return event === undefined || !isVisible ? undefined : rendered(rendering, endpoint, event);
  },
});

interface Reading {
  after: Place;
  until: Place | undefined;
  filter: EventFilter;
  limit: number;
}
interface Page {
  events: WebhookEvent[];
  next: Place;
  isNewest: boolean;
}

/** If an event cannot be opened, reads fewer, until that one is alone. It then has no body. */
async function readPage(rendering: Rendering, endpoint: WebhookEndpoint, reading: Reading): Promise<Page> {
  let page: EventsPage;
  try {
    page = await readEvents(rendering, reading);
  } catch (error) {
    // Another worker may have the key.
    if (!(error instanceof SealError) || error.code === 'unknown_key') throw error;
    if (reading.limit > 1)
      return readPage(rendering, endpoint, { ...reading, limit: Math.floor(reading.limit / 2) });
    rendering.onUnreadable(error);
    const unopened = await firstUnopened(rendering, reading);
    return { events: [unopened], next: unopened.place, isNewest: false };
  }
  const events = await Promise.all(page.events.map((event) => rendered(rendering, endpoint, event)));
  return { events, next: page.next, isNewest: page.isNewest };
}

async function rendered(
  { render, onUnreadable }: Rendering,
  endpoint: WebhookEndpoint,
  event: RecordedEvent,
): Promise<WebhookEvent> {
  const { id, type, resource, uid, workflowId, place } = event;
  const body = await render(event, endpoint).catch(onUnreadable);
  return { id, type, resource, uid, workflowId, place, body: body ?? undefined };
}

/** The event that could not be opened: the first one of its page. */
async function firstUnopened({ db }: Opened, { after, filter }: Reading): Promise<WebhookEvent> {
  const [era, transaction, position] = after;
  const conditions = [
    ...given(filter.types, (names) => sql`event = any(${[...names]}::text[])`),
    ...given(filter.connections, (ids) => sql`connection_id = any(${[...ids]}::text[])`),
    ...given(filter.workflowId, (id) => sql`workflow_id = ${id}`),
  ];
  const { rows } = await sql<{
    event_id: string;
    event: string;
    resource: string;
    uid: string;
    workflow_id: string;
    era: number;
    transaction: string;
    position: number;
  }>`
    select event_id, event, resource, uid, workflow_id, era, transaction, position from entries
    where event is not null and (era, transaction, position) > (${era}, ${transaction}::xid8, ${position})
      and ${all(...conditions)}
    order by era, transaction, position limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined)
    throw new Error('an event that could not be opened was deleted; the next attempt continues');
  return {
    ...{ id: row.event_id, type: row.event, resource: row.resource, uid: row.uid },
    ...{ workflowId: row.workflow_id, place: [row.era, row.transaction, row.position], body: undefined },
  };
}

const filterOf = (
  { types, connections }: WebhookEndpoint,
  ofCursor: readonly string[] | undefined,
): EventFilter => {
  const replayed = ofCursor?.flatMap(typesMatching);
  const both = types === undefined ? replayed : types.filter((type) => replayed?.includes(type) !== false);
  return { types: both, connections };
};
