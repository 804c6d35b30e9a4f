// Events about what has no workflow that records: settlement reports, and endpoints for webhooks. They are entries like all others.
import { sql } from 'kysely';
import { eventIdOf, type EventData } from './event-columns.js';
import { sealEntry } from './sealed.js';
import type { EventCause } from '../domain/records/batch.js';
import type { EventType } from '../domain/records/event-types.js';
import type { Opened } from './database.js';

/** What such events are about. */
export const EVENT_ONLY_RESOURCES = ['settlement', 'webhook-endpoint'] as const;
export type EventOnlyResource = (typeof EVENT_ONLY_RESOURCES)[number];

export interface OwnEvent {
  type: EventType;
  resource: EventOnlyResource;
  uid: string;
  connectionId: string | undefined;
  at: Date;
  /** Distinguishes it from other events of its type and uid. An equal one is stored once. */
  what: string;
  /** What the event shows of the resource. Without personal data. */
  view: object;
  /** What the entry says besides: for a flag, the flag. */
  own?: object;
  cause?: EventCause | undefined;
}

/** Stores an event, in the caller's transaction if it has one. @throws the errors of the database. */
export async function storeOwnEvent({ db, keyring }: Opened, event: OwnEvent): Promise<void> {
  const { type, resource, uid, connectionId, at, what, view, own = {}, cause } = event;
  const workflowId = `events/${resource}/${uid}`;
  const eventId = eventIdOf('', workflowId, type, what);
  const sameId = db.selectFrom('entries').where('event_id', '=', eventId).select('sequence');
  if ((await sameId.executeTakeFirst()) !== undefined) return;
  const { rows } = await sql<{ sequence: number }>`
    select greatest(coalesce(max(sequence), 0) + 1, ${at.getTime() * 1000}) as sequence
    from entries where workflow_id = ${workflowId}`.execute(db);
  const sequence = rows[0]?.sequence ?? at.getTime() * 1000;
  const kind = type.startsWith('attention.') ? 'attention' : 'decision';
  const data: EventData = { view, ...(cause && { cause }) };
  await db
    .insertInto('entries')
    .values({
      ...{ workflow_id: workflowId, sequence, task_follows: null, resource, uid, kind },
      ...{ connection_id: connectionId ?? null, name: type.slice(type.indexOf('.') + 1), fact_id: null },
      ...{ is_authenticated: null, occurred_at: at, event: type, event_id: eventId },
      era: sql`(select era from feed_era)`,
      ...sealEntry(
        keyring,
        { workflowId, sequence, kind, connectionId: connectionId ?? null },
        { ...own, event: data },
      ),
    })
    .execute();
}
