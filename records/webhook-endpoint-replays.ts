// Replays: a second cursor of an endpoint, from a time in the past until now.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { newestPlace, placeBefore } from './events.js';
import { madeBefore, rememberUse, type CommandUse } from './webhook-endpoint-requests.js';
import { lockedEndpoint } from './webhook-endpoint-rows.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Opened } from './database.js';

export interface Replay {
  since: Instant;
  /** Undefined: those of the endpoint. */
  types: readonly string[] | undefined;
  /** Repeats with it begin no second replay. Undefined: each request is another one. */
  use: CommandUse | undefined;
}

export type ReplayStart =
  /** `conflict`: the key was used for another body. */
  | { is: 'started' | 'repeated' | 'nothing_since' | 'unfinished' | 'conflict' | 'no_endpoint' }
  /** The retention has deleted events until then. */
  | { is: 'expired'; before: Instant };

/** Begins a replay, unless one has not ended. @throws the errors of the database. */
export const startReplay = (
  { db, keyring }: Opened,
  endpointId: string,
  { since, types, use }: Replay,
): Promise<ReplayStart> =>
  db.transaction().execute(async (trx): Promise<ReplayStart> => {
    const opened: Opened = { db: trx, keyring };
    if ((await lockedEndpoint(opened, endpointId)) === undefined) return { is: 'no_endpoint' };
    const before = await madeBefore(opened, use);
    if (before !== undefined) return { is: before === 'conflict' ? 'conflict' : 'repeated' };
    if (await isReplayed(opened, endpointId)) return { is: 'unfinished' };
    const era = await trx.selectFrom('feed_era').select('events_expired_before').executeTakeFirst();
    const expiredBefore = era?.events_expired_before?.toISOString();
    if (expiredBefore !== undefined && since < expiredBefore) return { is: 'expired', before: expiredBefore };
    const first = await placeBefore(opened, since);
    const id = randomUUID();
    await rememberUse(opened, use, id);
    if (first === undefined) return { is: 'nothing_since' };
    await insertReplay(opened, endpointId, { id, first, types });
    return { is: 'started' };
  });

/** Whether a replay has not ended. */
async function isReplayed({ db }: Opened, endpointId: string): Promise<boolean> {
  const ofEndpoint = db.selectFrom('webhook_cursors').where('endpoint_id', '=', endpointId);
  const open = ofEndpoint.where('id', '<>', 'live').where('ended_at', 'is', null);
  return (await open.select('id').executeTakeFirst()) !== undefined;
}

async function insertReplay(
  opened: Opened,
  endpointId: string,
  {
    id,
    first,
    types,
  }: { id: string; first: readonly [number, string, number]; types: readonly string[] | undefined },
): Promise<void> {
  const [era, transaction, position] = first;
  const [untilEra, untilTransaction, untilPosition] = await newestPlace(opened);
  await opened.db
    .insertInto('webhook_cursors')
    .values({
      ...{ endpoint_id: endpointId, id, era, transaction, position },
      ...{ until_era: untilEra, until_transaction: untilTransaction, until_position: untilPosition },
      ...{ types: types === undefined ? null : [...types], lease: null },
      ...{ last_success_at: null, failing_since: null, ended_at: null },
    })
    .execute();
  await sql`update webhook_endpoints set updated_at = now() where id = ${endpointId}`.execute(opened.db);
}
