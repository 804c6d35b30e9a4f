// Renames the flag `strikes` to `consecutive_failures` in the columns that are in clear. SQL cannot open what is sealed: there the old name stays in
// entries, and in views until the agreement changes. `records -- rebuild --all` would copy it back from such a view. No release has stored either.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['agreements', 'conflicts'])
    await sql`
      update ${sql.table(table)} set attention = array_replace(attention, 'strikes', 'consecutive_failures')
      where 'strikes' = any (attention)`.execute(db);
  await sql`
    update entries set name = 'consecutive_failures'
    where kind = 'attention' and name = 'strikes'`.execute(db);
}
