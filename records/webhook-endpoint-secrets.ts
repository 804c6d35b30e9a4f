// The secrets that sign webhooks. Only their creation and their rotation answer with one.
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { madeBefore, rememberUse, type CommandUse } from './webhook-endpoint-requests.js';
import { lockedEndpoint } from './webhook-endpoint-rows.js';
import { openWebhook, sealWebhook } from './sealed.js';
import type { Opened } from './database.js';

const SECRET_BYTES = 32;
/** So many sign at once, even if they are rotated in quick succession. */
const MOST_SECRETS = 5;
/** A repeat of the request that made a secret answers with it for so long. */
const REPEATED_FOR = sql`interval '24 hours'`;

interface SealedSecret {
  secret: string;
}

/** Stores a new secret, in the form of Standard Webhooks, and returns it. */
export async function insertSecret({ db, keyring }: Opened, endpointId: string, id: string): Promise<string> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const of: SealedSecret = { secret };
  await db
    .insertInto('webhook_secrets')
    .values({
      ...{ id, endpoint_id: endpointId, created_at: sql`clock_timestamp()`, expires_at: null },
      ...sealWebhook(keyring, 'webhook_secrets', id, of),
    })
    .execute();
  return secret;
}

/** The secret for a repeat of the request that made it. Undefined: it was replaced, or is older than a day. */
export async function repeatableSecret(
  { db, keyring }: Opened,
  endpointId: string,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; key_id: string; sealed: Buffer }>`
    select id, key_id, sealed from webhook_secrets
    where id = ${id} and endpoint_id = ${endpointId} and expires_at is null and created_at > now() - ${REPEATED_FOR}
  `.execute(db);
  const [row] = rows;
  return row && (openWebhook(keyring, 'webhook_secrets', row.id, row) as SealedSecret).secret;
}

export interface Rotation {
  /** The others sign for so long. 0: no longer from now on. */
  overlapHours: number;
  /** Repeats with it make no other secret. Undefined: each request is another one. */
  use: CommandUse | undefined;
}

export type Rotated =
  | { is: 'rotated'; secret: string }
  /** Without a secret that was replaced, or is older than a day. */
  | { is: 'repeated'; secret: string | undefined }
  /** `conflict`: the key was used for another body. */
  | { is: 'conflict' }
  | { is: 'no_endpoint' };

/** Replaces the secret. @throws the errors of the database. */
export const rotateSecret = (
  { db, keyring }: Opened,
  endpointId: string,
  { overlapHours, use }: Rotation,
): Promise<Rotated> =>
  db.transaction().execute(async (trx): Promise<Rotated> => {
    const opened: Opened = { db: trx, keyring };
    if ((await lockedEndpoint(opened, endpointId)) === undefined) return { is: 'no_endpoint' };
    const before = await madeBefore(opened, use);
    if (before === 'conflict') return { is: 'conflict' };
    if (before !== undefined)
      return { is: 'repeated', secret: await repeatableSecret(opened, endpointId, before.id) };
    const id = randomUUID();
    await rememberUse(opened, use, id);
    await sql`
      update webhook_secrets set expires_at = least(expires_at, now() + make_interval(hours => ${overlapHours}))
      where endpoint_id = ${endpointId}`.execute(trx);
    const secret = await insertSecret(opened, endpointId, id);
    await sql`
      delete from webhook_secrets where endpoint_id = ${endpointId} and (expires_at <= now() or id in (
        select id from webhook_secrets where endpoint_id = ${endpointId}
        order by created_at desc offset ${MOST_SECRETS}))`.execute(trx);
    return { is: 'rotated', secret };
  });
