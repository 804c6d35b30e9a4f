// Canaries: for each key that has sealed data, a known text that it sealed. A process whose keys cannot open one cannot read what exists.
import { canaryContext } from '../sealing/contexts.js';
import { SealError, openBytes, sealBytes, type Keyring } from '../sealing/keyring.js';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

const TEXT = Buffer.from('canary');

/**
 * Opens all canaries, and stores one of the first key unless there is one.
 * @returns one line that says what to do if a key is missing or differs; undefined if all canaries open.
 */
export async function keysProblem(db: Kysely<Tables>, keyring: Keyring): Promise<string | undefined> {
  // Only a process that can read everything may add its key: others could not open that of a process with wrong keys.
  const problem = await missingKey(db, keyring);
  if (problem !== undefined) return problem;
  const [{ id }] = keyring;
  const { sealed } = sealBytes(keyring, TEXT, canaryContext(id));
  await db
    .insertInto('sealing_keys')
    .values({ key_id: id, sealed: Buffer.from(sealed) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return missingKey(db, keyring);
}

async function missingKey(db: Kysely<Tables>, keyring: Keyring): Promise<string | undefined> {
  const canaries = await db.selectFrom('sealing_keys').selectAll().orderBy('sealed_since').execute();
  return canaries.map((canary) => problemWith(keyring, canary)).find((problem) => problem !== undefined);
}

function problemWith(
  keyring: Keyring,
  { key_id: keyId, sealed }: { key_id: string; sealed: Buffer },
): string | undefined {
  try {
    openBytes(keyring, { keyId, sealed }, canaryContext(keyId));
    return undefined;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return error.code === 'unknown_key'
      ? `ENCRYPTION_KEYS: expected also the key ${keyId}, which sealed stored data; found none. Add it, or run npm run reseal with it first`
      : `ENCRYPTION_KEYS: expected the key ${keyId} that sealed stored data; found another key of that name`;
  }
}

/** When the first key of the ring began to seal. */
export const sealsSince = async (db: Kysely<Tables>, [{ id }]: Keyring): Promise<Date | undefined> =>
  (await db.selectFrom('sealing_keys').select('sealed_since').where('key_id', '=', id).executeTakeFirst())
    ?.sealed_since;

/** Forgets the keys that nothing needs any more. For the owner of the database. @returns their names. */
export async function forgetOlderKeys(db: Kysely<Tables>, [{ id }]: Keyring): Promise<string[]> {
  const rows = await db.deleteFrom('sealing_keys').where('key_id', '<>', id).returning('key_id').execute();
  return rows.map(({ key_id: keyId }) => keyId);
}
