// The use of an `Idempotency-Key` for a command about an endpoint. It outlives what the command made, until IDEMPOTENCY_KEYS_RETENTION.
import type { KeyUse } from '../domain/commands/key-use.js';
import type { Opened } from './database.js';

/** Digests of the caller's key, with its principal and path, and of the body. */
export type CommandUse = Pick<KeyUse, 'key' | 'body'>;

/** Call it while the endpoint's row is locked. @returns what an earlier request with the key has made, or `conflict` if its body was another one. */
export async function madeBefore(
  { db }: Pick<Opened, 'db'>,
  use: CommandUse | undefined,
): Promise<{ id: string } | 'conflict' | undefined> {
  if (use === undefined) return undefined;
  const ofKey = db.selectFrom('idempotency_keys').where('key', '=', use.key);
  const before = await ofKey.select(['uid', 'body']).executeTakeFirst();
  if (before === undefined) return undefined;
  return before.body === use.body ? { id: before.uid } : 'conflict';
}

/** Binds the key to what the command has made. In the command's transaction. */
export async function rememberUse(
  { db }: Pick<Opened, 'db'>,
  use: CommandUse | undefined,
  made: string,
): Promise<void> {
  if (use === undefined) return;
  await db
    .insertInto('idempotency_keys')
    .values({ key: use.key, body: use.body, resource: 'webhook-endpoint', uid: made })
    .execute();
}
