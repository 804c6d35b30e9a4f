// Creates and migrates the records database, as its owner. Safe to repeat, and to run twice at once.
import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { PATIENT_MS, openRecords } from './database.js';
import { codeOf } from './errors.js';
import { MIGRATIONS, type RecordsMigration } from './migrations/all.js';
import { buildIndexes } from './migrations/indexes.js';
import { giveRoles, rolesProblem, type Roles } from './roles.js';
import { unreleasedProblem } from './schema-version.js';
import type { RecordsSettings } from './settings.schema.js';
import type { Tables } from './tables.js';

export interface MigrateOptions extends Roles {
  /** The owner, which creates, migrates and erases. */
  admin: RecordsSettings;
  print: (line: string) => void;
  /** For tests: those of another release. */
  migrations?: Readonly<Record<string, RecordsMigration>> | undefined;
}

/** The number of our lock. Any number that nothing else uses. */
const MIGRATING = 358_201_735;
const TRY_EVERY_MS = 200;
const LOCK_MS = 2000;
const LOCK_NOT_AVAILABLE = '55P03';
/** For the build of an index, which also waits for older transactions. */
const BUILD_MS = 24 * 3_600_000;
/** Every server has it. */
const MAINTENANCE = 'postgres';
const NO_DATABASE = '3D000';
const DUPLICATES: ReadonlySet<string | undefined> = new Set(['42P04', '23505']);

/** @throws Error with a remedy. */
export async function migrateRecords(options: MigrateOptions): Promise<void> {
  const { admin, print } = options;
  const problem = rolesProblem(admin, options);
  if (problem !== undefined) throw new Error(problem);
  await createDatabase(admin, print);
  const { db, close } = openRecords(admin, BUILD_MS);
  try {
    // One session for everything: after a kill, the server releases the lock when the last statement has ended.
    await db.connection().execute(async (session) => {
      await lock(session, print);
      await migrate(session, options);
    });
  } finally {
    await close();
  }
}

/** Until the session ends. Not `pg_advisory_lock`: the build of an index waits for all running statements, so both would wait for each other. */
async function lock(session: Kysely<Tables>, print: (line: string) => void): Promise<void> {
  const isLocked = async (): Promise<boolean> => {
    const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_lock(${MIGRATING}) as ours`.execute(
      session,
    );
    return rows[0]?.ours === true;
  };
  if (await isLocked()) return;
  print('waiting for another migration');
  do await pause(TRY_EVERY_MS);
  while (!(await isLocked()));
}

async function migrate(
  session: Kysely<Tables>,
  { print, migrations = MIGRATIONS, ...roles }: MigrateOptions,
): Promise<void> {
  const found = await namesIn(session);
  const unreleased = unreleasedProblem(found);
  if (unreleased !== undefined) throw new Error(unreleased);
  const newer = found.filter((name) => !Object.hasOwn(migrations, name));
  if (newer.length > 0) {
    print(`nothing to do: a newer release has migrated the database, with ${newer.join(', ')}`);
    return;
  }
  const migrator = new Migrator({
    db: session,
    provider: { getMigrations: () => Promise.resolve(withSupport(migrations)) },
  });
  const { error, results = [] } = await withoutBlocking(session, print, () => migrator.migrateToLatest());
  for (const { migrationName, status } of results)
    if (status === 'Success') print(`migrated ${migrationName}`);
  if (error !== undefined) throw error instanceof Error ? error : new Error('the migration failed');
  await giveRoles(session, roles, print);
  const indexes = Object.values(migrations).flatMap(({ INDEXES = [] }) => INDEXES);
  const builtCount = await buildIndexes(session, indexes, print);
  if (results.length + builtCount === 0) print('the schema is up to date');
}

/**
 * A statement that waits for a table behind a dump would block everyone behind itself, so it waits for a short time only. The migrations run in one
 * transaction, so each attempt begins with the first.
 */
async function withoutBlocking<Result extends { error?: unknown }>(
  session: Kysely<Tables>,
  print: (line: string) => void,
  run: () => Promise<Result>,
): Promise<Result> {
  await sql.raw(`set lock_timeout = ${LOCK_MS}`).execute(session);
  let result = await run();
  if (codeOf(result.error) === LOCK_NOT_AVAILABLE)
    print('waiting for a table that another transaction uses, for example a dump');
  while (codeOf(result.error) === LOCK_NOT_AVAILABLE) {
    await pause(TRY_EVERY_MS);
    result = await run();
  }
  await sql`set lock_timeout = 0`.execute(session);
  return result;
}

/** The migrations that have run. */
async function namesIn(session: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(session);
  if (rows[0]?.exists !== true) return [];
  return (await session.selectFrom('kysely_migration').select('name').execute()).map(({ name }) => name);
}

/** Each migration also writes, in its transaction, which processes may run after it. */
const withSupport = (migrations: Readonly<Record<string, RecordsMigration>>): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [
      name,
      {
        up: async (db: Kysely<unknown>) => {
          await migration.up(db);
          await writeSupport(db, migration.oldest);
        },
      },
    ]),
  );

async function writeSupport(db: Kysely<unknown>, oldest: string): Promise<void> {
  await sql`
    insert into schema_support (oldest) values (${oldest})
    on conflict (is_only) do update set oldest = excluded.oldest`.execute(db);
}

/**
 * Looks into the maintenance database first, because a connection to a missing database leaves a `FATAL` in the server's log. A
 * user without access to it can still migrate a database that exists.
 */
async function createDatabase(admin: RecordsSettings, print: (line: string) => void): Promise<void> {
  const { db, close } = openRecords({ ...admin, database: MAINTENANCE }, PATIENT_MS);
  try {
    const { rows } = await sql`select 1 from pg_database where datname = ${admin.database}`.execute(db);
    if (rows.length > 0) return;
    await sql`create database ${sql.id(admin.database)}`.execute(db);
    print(`created the database ${admin.database}`);
  } catch (error) {
    if (!DUPLICATES.has(codeOf(error)) && !(await exists(admin))) throw error;
  } finally {
    await close();
  }
}

async function exists(admin: RecordsSettings): Promise<boolean> {
  const { db, close } = openRecords(admin, PATIENT_MS);
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch (error) {
    if (codeOf(error) === NO_DATABASE) return false;
    throw error;
  } finally {
    await close();
  }
}
