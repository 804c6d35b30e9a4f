// Builds indexes of tables that may have many rows, while a release writes to them.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../tables.js';

export interface Index {
  name: string;
  /** What follows `on`: the table, the columns, perhaps a condition. */
  definition: RawBuilder<unknown>;
}

/**
 * Builds those that are missing, one after the other. Drops what an interrupted build has left, which PostgreSQL does not use.
 * @param session not in a transaction, and the only one that builds.
 * @returns how many it has built.
 */
export async function buildIndexes(
  session: Kysely<Tables>,
  indexes: readonly Index[],
  print: (line: string) => void,
): Promise<number> {
  let count = 0;
  for (const { name, definition } of indexes) {
    const found = await find(session, name);
    if (found?.isValid === true) continue;
    if (found !== undefined) {
      print(`dropping the index ${name}, because its build was interrupted`);
      await sql`drop index concurrently ${sql.id(name)}`.execute(session);
    }
    print(`building the index ${name}`);
    const startedAtMs = performance.now();
    await sql`create index concurrently if not exists ${sql.id(name)} on ${definition}`.execute(session);
    print(`built the index ${name} in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
    count += 1;
  }
  return count;
}

async function find(session: Kysely<Tables>, name: string): Promise<{ isValid: boolean } | undefined> {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(quote_ident(${name}))
  `.execute(session);
  return rows[0];
}
