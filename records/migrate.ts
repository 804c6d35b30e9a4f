// Creates and migrates the records database, as its owner. Safe to repeat, and to run twice at once.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { PATIENT_MS, openRecords } from './database.js';
import { codeOf } from './errors.js';
import { MIGRATIONS, ROW_TABLES, type RecordsMigration } from './migrations/all.js';
import { buildIndexes } from './migrations/indexes.js';
import { unreleasedProblem } from './schema-version.js';
import type { RecordsSettings } from './settings.schema.js';
import type { Tables } from './tables.js';

export interface MigrateOptions {
  /** The owner, which creates, migrates, expires and erases. */
  admin: RecordsSettings;
  /** The role of worker and API. */
  application: RecordsSettings;
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
const DUPLICATES: ReadonlySet<string | undefined> = new Set(['42P04', '42710', '23505']);
const NOT_ALLOWED = '42501';

/** @throws Error with a remedy. */
export async function migrateRecords(options: MigrateOptions): Promise<void> {
  const { admin, application, print } = options;
  if (admin.user === application.user)
    throw new Error(
      'RECORDS_URL: expected another user than RECORDS_ADMIN_URL, so that the application cannot change the schema',
    );
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
  { application, print, migrations = MIGRATIONS }: MigrateOptions,
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
  await session.transaction().execute(async (transaction) => {
    await createRole(transaction, application, print);
    await grant(transaction, application);
  });
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

async function createRole(
  db: Kysely<Tables>,
  { user, password }: RecordsSettings,
  print: (line: string) => void,
): Promise<void> {
  const { rows } = await sql`select 1 from pg_roles where rolname = ${user}`.execute(db);
  if (rows.length > 0) return;
  try {
    await sql`create role ${sql.id(user)} login password ${sql.lit(verifierOf(password.reveal()))}`.execute(
      db,
    );
    print(`created the role ${user}`);
  } catch (error) {
    if (DUPLICATES.has(codeOf(error))) return;
    if (codeOf(error) !== NOT_ALLOWED) throw error;
    throw new Error(
      `RECORDS_ADMIN_URL: expected a user that may create roles, or an existing role ${user}; create it with a login and the password of RECORDS_URL`,
      { cause: error },
    );
  }
}

const SCRAM_ROUNDS = 4096;

/** What PostgreSQL itself would store (RFC 5803). So neither a statement nor the server's log contains the password. */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ROUNDS, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ROUNDS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

const APPENDED = [
  'entries',
  'audit',
  'float_entries',
  'settlement_reports',
  'settlement_lines',
  'sealing_keys',
  'idempotency_keys',
  'webhook_deliveries',
];
/** The only columns of them that the application may change. */
const COMPLETED = {
  float_entries: ['payment_uid', 'refund_uid', 'case_uid'],
  settlement_reports: ['fetched_at'],
  records_progress: ['recorded_until'],
  idempotency_keys: ['uses'],
} as const;
/** Keys of refused requests, the mark of incomplete rows, and what webhooks need. */
const SHORT_LIVED = [
  'idempotency_keys',
  'incomplete',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_cursors',
  'webhook_waiting',
];
/** The application may change every column of these. */
const CHANGED = [
  'conflicts',
  'float_readings',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_cursors',
  'webhook_waiting',
];

/** The application appends entries and replaces rows. It cannot change an entry, and deletes only from `SHORT_LIVED`. */
async function grant(db: Kysely<Tables>, { user, database }: RecordsSettings): Promise<void> {
  const role = sql.id(user);
  await sql`revoke create on schema public from public`.execute(db);
  await sql`grant connect on database ${sql.id(database)} to ${role}`.execute(db);
  await sql`grant usage on schema public to ${role}`.execute(db);
  await sql`grant select on all tables in schema public to ${role}`.execute(db);
  for (const table of APPENDED) await sql`grant insert on ${sql.table(table)} to ${role}`.execute(db);
  for (const [table, columns] of Object.entries(COMPLETED))
    await sql`grant update (${sql.join(columns.map((name) => sql.ref(name)))}) on ${sql.table(table)} to ${role}`.execute(
      db,
    );
  for (const table of SHORT_LIVED)
    await sql`grant insert, delete on ${sql.table(table)} to ${role}`.execute(db);
  for (const table of [...Object.keys(ROW_TABLES), ...CHANGED])
    await sql`grant insert, update on ${sql.table(table)} to ${role}`.execute(db);
}
