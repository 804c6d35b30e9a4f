// Whether this release can work with the schema of the database, also if a newer release has migrated it. Workers and the API never migrate.
import { sql, type Kysely } from 'kysely';
import { codeOf } from './errors.js';
import { isFeedValid } from './feed-order.js';
import { MIGRATIONS, type RecordsMigration } from './migrations/all.js';
import type { Tables } from './tables.js';

const UNDEFINED_TABLE = '42P01';
const NO_DATABASE = '3D000';
/** The class of failed logins. */
const REFUSED = /^28/;

/**
 * @param migrations for tests: those of another release.
 * @returns one line that says what to do; undefined if nothing is wrong.
 * @throws the error of the connection if the database cannot be reached.
 */
export async function schemaProblem(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, RecordsMigration>> = MIGRATIONS,
): Promise<string | undefined> {
  try {
    const found = (await db.selectFrom('kysely_migration').select('name').execute()).map(({ name }) => name);
    const unreleased = unreleasedProblem(found);
    if (unreleased !== undefined) return unreleased;
    const missing = Object.keys(migrations).filter((name) => !found.includes(name));
    if (missing.length > 0) return `${NOT_MIGRATED}; found one without ${missing.join(', ')}. ${MIGRATE}`;
    const { oldest } = await db.selectFrom('schema_support').select('oldest').executeTakeFirstOrThrow();
    if (!Object.hasOwn(migrations, oldest)) return tooOld(oldest, migrations);
    await sql`select 1 from entries limit 1`.execute(db);
    return (await isFeedValid(db)) ? undefined : RESTORED;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === UNDEFINED_TABLE || code === NO_DATABASE) return `${NOT_MIGRATED}; found none. ${MIGRATE}`;
    if (REFUSED.test(code)) return 'RECORDS_URL: expected a user and password that the database accepts';
    throw error;
  }
}

/**
 * A build before the first release had other migrations, which nothing continues.
 * @param found the migrations that have run in the database.
 * @returns one line that says what to do; undefined if the database is empty or of a release.
 */
export function unreleasedProblem(found: readonly string[]): string | undefined {
  const baseline = '0001-baseline' satisfies keyof typeof MIGRATIONS;
  return found.length === 0 || found.includes(baseline) ? undefined : UNRELEASED;
}

const UNRELEASED =
  'RECORDS_URL: expected an empty database or that of a release; found that of a build before the first release, which cannot be migrated. Start with an empty database and an empty Temporal (npm start -- --fresh does both), then run npm run migrate';
const NOT_MIGRATED = 'RECORDS_URL: expected a database with the schema of this release';
const MIGRATE = 'Run npm run migrate (in a container: node dist/worker/migrate.js)';
const tooOld = (oldest: string, migrations: object): string =>
  `RECORDS_URL: expected a database that works with this release (schema ${Object.keys(migrations).at(-1) ?? ''}); found one that works only from schema ${oldest} on. Start a release with that schema or a newer one`;
const RESTORED =
  'RECORDS_URL: expected records that are marked as restored; found a restored dump. Run npm run records -- restored (docs/records.md#repair-the-records)';
