// The attempts to deliver events to an endpoint, newest first.
import { sql } from 'kysely';
import { all, given } from './conditions.js';
import { openWebhook } from './sealed.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Opened } from './database.js';

export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'set_aside'] as const;

export interface StoredDelivery {
  id: string;
  eventId: string;
  eventType: string;
  resource: string;
  uid: string;
  attempt: number;
  at: Instant;
  durationMs: number;
  outcome: (typeof DELIVERY_OUTCOMES)[number];
  /** The HTTP status. Undefined: there was none, and `problem` says why. */
  status: number | undefined;
  problem: string | undefined;
  /** The start of the receiver's answer. */
  answer: string | undefined;
}

/** The time with its microseconds, as the database writes it, and the id. */
export type DeliveryPlace = readonly [at: string, id: string];

export interface DeliveriesRequest {
  outcome?: StoredDelivery['outcome'] | undefined;
  eventId?: string | undefined;
  before?: DeliveryPlace | undefined;
  limit: number;
}

interface Row {
  id: string;
  event_id: string;
  event_type: string;
  resource: string;
  uid: string;
  attempt: number;
  at: Date;
  exact_at: string;
  duration_ms: number;
  outcome: StoredDelivery['outcome'];
  status: number | null;
  problem: string | null;
  key_id: string | null;
  sealed: Buffer | null;
}

/** @throws the errors of the database, and SealError if a key is missing. */
export async function listDeliveries(
  opened: Opened,
  endpointId: string,
  { outcome, eventId, before, limit }: DeliveriesRequest,
): Promise<{ deliveries: StoredDelivery[]; next: DeliveryPlace | undefined }> {
  const rows = await rowsWhere(
    opened,
    [
      sql`endpoint_id = ${endpointId}`,
      ...given(outcome, (name) => sql`outcome = ${name}`),
      // Of the index of failures.
      ...(outcome === undefined || outcome === 'delivered' ? [] : [sql`outcome <> 'delivered'`]),
      ...given(eventId, (id) => sql`event_id = ${id}`),
      ...given(before, ([at, id]) => sql`(at, id) < (${at}::timestamptz, ${id})`),
    ],
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    deliveries: page.map((row) => deliveryOf(opened, row)),
    next: last && [last.exact_at, last.id],
  };
}

/** @throws as `listDeliveries` */
export async function readDelivery(
  opened: Opened,
  endpointId: string,
  id: string,
): Promise<StoredDelivery | undefined> {
  const [row] = await rowsWhere(opened, [sql`endpoint_id = ${endpointId}`, sql`id = ${id}`], 1);
  return row && deliveryOf(opened, row);
}

async function rowsWhere(
  { db }: Opened,
  conditions: ReturnType<typeof sql>[],
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact_at from webhook_deliveries
    where ${all(...conditions)} order by at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

function deliveryOf({ keyring }: Opened, row: Row): StoredDelivery {
  const { id, key_id: keyId, sealed } = row;
  const opened =
    keyId === null || sealed === null
      ? undefined
      : (openWebhook(keyring, 'webhook_deliveries', id, { key_id: keyId, sealed }) as { answer?: string });
  return {
    ...{ id, eventId: row.event_id, eventType: row.event_type, resource: row.resource, uid: row.uid },
    ...{ attempt: row.attempt, at: row.at.toISOString(), durationMs: row.duration_ms, outcome: row.outcome },
    ...{ status: row.status ?? undefined, problem: row.problem ?? undefined, answer: opened?.answer },
  };
}
