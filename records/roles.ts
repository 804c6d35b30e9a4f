// The roles of the records database, and what each may do. The migration creates the missing ones, as the owner.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { EXPIRING_RESOURCES } from '../domain/resources.js';
import { codeOf } from './errors.js';
import { EXPIRED_BY_TIME } from './expire.js';
import { ROW_TABLES } from './migrations/all.js';
import { ROW_KINDS } from './row-tables.js';
import { tableOf, type Tables } from './tables.js';
import type { RecordsSettings } from './settings.schema.js';

export interface Roles {
  /** The role of worker and API. */
  application: RecordsSettings;
  /** The role of `npm run expire`. */
  expiry?: RecordsSettings | undefined;
  /** The role of `npm run records -- rebuild --all --check`, which only reads. */
  audit?: RecordsSettings | undefined;
}

const DUPLICATES: ReadonlySet<string | undefined> = new Set(['42710', '23505']);
const NOT_ALLOWED = '42501';
/** The variable that names each role. */
const VARIABLES = {
  application: 'RECORDS_URL',
  expiry: 'RECORDS_EXPIRY_URL',
  audit: 'RECORDS_AUDIT_URL',
} as const;
type RoleName = keyof typeof VARIABLES;
const ROLE_NAMES = Object.keys(VARIABLES) as RoleName[];

/** @returns what is wrong with the users of these settings, if two roles would have the rights of one. */
export function rolesProblem(admin: RecordsSettings, roles: Roles): string | undefined {
  const before: [variable: string, settings: RecordsSettings][] = [['RECORDS_ADMIN_URL', admin]];
  for (const [variable, settings] of given(roles)) {
    const same = before.find(([, { user }]) => user === settings.user);
    if (same !== undefined)
      return `${variable}: expected another user than ${same[0]}, so that each role has only its own rights`;
    if (settings.database !== admin.database)
      return `${variable}: expected the database of RECORDS_ADMIN_URL, ${admin.database}`;
    before.push([variable, settings]);
  }
  return undefined;
}

const given = (roles: Roles): [variable: string, settings: RecordsSettings, name: RoleName][] =>
  ROLE_NAMES.flatMap((name) => {
    const settings = roles[name];
    return settings === undefined ? [] : [[VARIABLES[name], settings, name]];
  });

/**
 * Creates the missing roles, and grants each its rights. Roles belong to the whole server, so a migration of another database may create one at the
 * same time: each is created outside of the transaction, which would otherwise fail.
 */
export async function giveRoles(
  session: Kysely<Tables>,
  roles: Roles,
  print: (line: string) => void,
): Promise<void> {
  for (const [variable, settings] of given(roles)) await createRole(session, { variable, settings }, print);
  await session.transaction().execute(async (db) => {
    await sql`revoke create on schema public from public`.execute(db);
    for (const [, { user, database }, name] of given(roles)) {
      await sql`grant connect on database ${sql.id(database)} to ${sql.id(user)}`.execute(db);
      await sql`grant usage on schema public to ${sql.id(user)}`.execute(db);
      await RIGHTS[name](db, sql.id(user));
    }
  });
}

async function createRole(
  db: Kysely<Tables>,
  { variable, settings: { user, password } }: { variable: string; settings: RecordsSettings },
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
      `RECORDS_ADMIN_URL: expected a user that may create roles, or an existing role ${user}; create it with a login and the password of ${variable}`,
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
async function grantApplication(db: Kysely<Tables>, role: RawBuilder<unknown>): Promise<void> {
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

/** It deletes what may expire, leaves tombstones, and marks how far events are gone. It cannot change or add anything else. */
async function grantExpiry(db: Kysely<Tables>, role: RawBuilder<unknown>): Promise<void> {
  const expiring = [...EXPIRING_RESOURCES.map(tableOf), 'conflicts', 'entries', ...EXPIRED_BY_TIME];
  for (const table of expiring) await sql`grant select, delete on ${sql.table(table)} to ${role}`.execute(db);
  await sql`grant select, insert on tombstones to ${role}`.execute(db);
  await sql`grant select, update (events_expired_before) on feed_era to ${role}`.execute(db);
}

/** It reads rows, which are sealed, and writes nothing. */
async function grantAudit(db: Kysely<Tables>, role: RawBuilder<unknown>): Promise<void> {
  for (const { table } of ROW_KINDS) await sql`grant select on ${sql.table(table)} to ${role}`.execute(db);
}

const RIGHTS: Record<RoleName, (db: Kysely<Tables>, role: RawBuilder<unknown>) => Promise<void>> = {
  application: grantApplication,
  expiry: grantExpiry,
  audit: grantAudit,
};
