// Reads the rows of endpoints for webhooks, and stores the events about them.
import { sql } from 'kysely';
import { storeOwnEvent } from './own-events.js';
import { openWebhook, sealWebhook, type Sealed } from './sealed.js';
import type { Attention } from '../domain/attention/flags.js';
import type { Instant } from '../domain/facts/fact.js';
import type { EventType } from '../domain/records/event-types.js';
import type { Opened } from './database.js';

export const WEBHOOK_FORMS = ['full', 'thin'] as const;
export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export const DISABLED_BECAUSE = ['request', 'gone', 'failing'] as const;

/** What a caller chooses. */
export interface EndpointSettings {
  url: string;
  description: string | undefined;
  /** Event types, or `agreement.*`. Undefined: all. */
  types: readonly string[] | undefined;
  /** Undefined: all that the key may see. */
  connections: readonly string[] | undefined;
  form: (typeof WEBHOOK_FORMS)[number];
}

export interface StoredEndpoint extends EndpointSettings {
  id: string;
  principal: string;
  apiKeyId: string;
  /** Of the key that made it, as last confirmed. */
  keyScopes: readonly string[];
  keyConnections: readonly string[] | undefined;
  /** False: no API process has confirmed the key for some minutes, so nothing is sent. */
  isKeyConfirmed: boolean;
  status: (typeof ENDPOINT_STATUSES)[number];
  disabledBecause: (typeof DISABLED_BECAUSE)[number] | undefined;
  disabledAt: Instant | undefined;
  attention: readonly Attention[];
  createdAt: Instant;
  updatedAt: Instant;
  progress: EndpointProgress;
}

export interface EndpointProgress {
  /** Events that were recorded until then were sent, apart from those of waiting resources. */
  upToDateUntil: Instant;
  waitingResources: number;
  failingSince: Instant | undefined;
  lastSuccessAt: Instant | undefined;
  /** How many replays have not ended. */
  replays: number;
}

/** In the sealed column. */
export interface SealedSettings {
  url: string;
  description?: string | undefined;
  /** The digest of the request that created it. */
  request: string;
}

export const sealSettings = ({ keyring }: Opened, id: string, settings: SealedSettings): Sealed => {
  const { url, description, request } = settings;
  return sealWebhook(keyring, 'webhook_endpoints', id, { url, description, request });
};

export const openSettings = ({ keyring }: Opened, id: string, row: Sealed): SealedSettings =>
  openWebhook(keyring, 'webhook_endpoints', id, row) as SealedSettings;

/** A column that is null for "all". */
export const copyOf = (names: readonly string[] | undefined): string[] | null =>
  names === undefined ? null : [...names];

/** Keeps the row until the transaction ends. */
export const lockedEndpoint = ({ db }: Opened, id: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['status', 'key_id', 'sealed'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

interface Row extends Sealed {
  id: string;
  principal: string;
  api_key_id: string;
  types: string[] | null;
  connections: string[] | null;
  form: StoredEndpoint['form'];
  status: StoredEndpoint['status'];
  disabled_because: StoredEndpoint['disabledBecause'] | null;
  disabled_at: Date | null;
  key_scopes: string[];
  key_connections: string[] | null;
  is_key_confirmed: boolean;
  attention: Attention[];
  created_at: Date;
  updated_at: Date;
  up_to_date_until: Date;
  waiting: number;
  failing_since: Date | null;
  last_success_at: Date | null;
  replays: number;
}

/** All endpoints, or the one with this id. */
export async function readEndpoints(opened: Opened, id?: string): Promise<StoredEndpoint[]> {
  const { rows } = await sql<Row>`
    select one.*, one.key_confirmed_at > now() - interval '5 minutes' as is_key_confirmed,
      live.last_success_at, live.failing_since,
      coalesce((
        select recorded_at from entries
        where event is not null
          and (era, transaction, position) > (live.era, live.transaction, live.position)
        order by era, transaction, position limit 1), now()) as up_to_date_until,
      (select count(*) from webhook_waiting where endpoint_id = one.id) as waiting,
      (select count(*) from webhook_cursors
        where endpoint_id = one.id and id <> 'live' and ended_at is null) as replays
    from webhook_endpoints one join webhook_cursors live on live.endpoint_id = one.id and live.id = 'live'
    where ${id === undefined ? sql`true` : sql`one.id = ${id}`}
    order by one.created_at, one.id`.execute(opened.db);
  return rows.map((row) => readRow(opened, row));
}

/** An endpoint that exists. */
export async function endpointOf(opened: Opened, id: string): Promise<StoredEndpoint> {
  const [endpoint] = await readEndpoints(opened, id);
  if (endpoint === undefined) throw new Error(`the webhook endpoint ${id} has no row`);
  return endpoint;
}

function readRow(opened: Opened, row: Row): StoredEndpoint {
  const { url, description } = openSettings(opened, row.id, row);
  const { id, principal, form, status, attention } = row;
  return {
    ...{ id, principal, apiKeyId: row.api_key_id, url, description, form, status, attention },
    ...{ types: row.types ?? undefined, connections: row.connections ?? undefined },
    ...{ keyScopes: row.key_scopes, keyConnections: row.key_connections ?? undefined },
    isKeyConfirmed: row.is_key_confirmed,
    disabledBecause: row.disabled_because ?? undefined,
    disabledAt: row.disabled_at?.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    progress: {
      upToDateUntil: row.up_to_date_until.toISOString(),
      waitingResources: row.waiting,
      failingSince: row.failing_since?.toISOString(),
      lastSuccessAt: row.last_success_at?.toISOString(),
      replays: row.replays,
    },
  };
}

/** What a command caused: who sent it, and the flag or reason that the event shows. */
export interface EndpointCommand {
  by: string;
  reason?: string | undefined;
  flag?: Attention | undefined;
}

/** Stores an event about an endpoint, that a caller's command caused. Its URL and description stay out of it. */
export async function storeEndpointEvent(
  opened: Opened,
  { id, status, disabledBecause, form, types, connections }: StoredEndpoint,
  type: EventType,
  { by, reason, flag }: EndpointCommand,
): Promise<void> {
  const at = new Date();
  await storeOwnEvent(opened, {
    ...{ type, resource: 'webhook-endpoint', uid: id, connectionId: undefined, at },
    what: [at.toISOString(), flag?.code, flag?.since].join(' '),
    view: {
      ...{ id, status, disabledBecause: disabledBecause ?? null, form },
      ...{ types: types ?? null, connections: connections ?? null },
    },
    own: { ...flag, ...(reason !== undefined && { reason }) },
    cause: { source: 'command', type: type.replace('webhook_endpoint.', ''), by },
  });
}
