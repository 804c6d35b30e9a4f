// Confirms the keys that made endpoints: without a confirmation for some minutes, an endpoint receives nothing.
import { sql } from 'kysely';
import type { Opened } from './database.js';

export interface ConfirmedKey {
  id: string;
  principal: string;
  scopes: readonly string[];
  /** Undefined: all. */
  connections: readonly string[] | undefined;
}

/** Another process may have confirmed it. */
const CONFIRMED_ENOUGH = sql`interval '10 seconds'`;

/**
 * Stores what the keys may see, and that they are valid now.
 * @returns the enabled endpoints of these keys, and whether a worker delivers to them.
 * @throws the errors of the database.
 */
export async function confirmKeys(
  { db }: Pick<Opened, 'db'>,
  keys: readonly ConfirmedKey[],
): Promise<{ id: string; isDelivered: boolean }[]> {
  const { rows } = await sql<{ id: string; isDelivered: boolean }>`
    with valid as (
        select * from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
          as key (id text, principal text, scopes text[], connections text[])),
      confirmed as (
        update webhook_endpoints as one
        set key_scopes = valid.scopes, key_connections = valid.connections, key_confirmed_at = now()
        from valid
        where (one.api_key_id, one.principal) = (valid.id, valid.principal)
          and (one.key_confirmed_at < now() - ${CONFIRMED_ENOUGH} or one.key_scopes <> valid.scopes
            or one.key_connections is distinct from valid.connections))
    select one.id, live.lease is not null as "isDelivered"
    from webhook_endpoints as one
      join valid on (one.api_key_id, one.principal) = (valid.id, valid.principal)
      join webhook_cursors as live on live.endpoint_id = one.id and live.id = 'live'
    where one.status = 'enabled'`.execute(db);
  return rows;
}
