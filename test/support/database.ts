import { randomUUID } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { migrate, PATIENT_MS } from './records.js';
import { type RecordsDatabase, openRecords } from '../../records/database.js';
import { migrateRecords } from '../../records/migrate.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../records/tables.js';
import type { RecordsMigration } from '../../records/migrations/all.js';

export interface Database {
  adminUrl: string;
  url: string;
  owner: RecordsDatabase;
  application: RecordsDatabase;
}

export async function aDatabase(): Promise<Database> {
  const database = aMissingDatabase();
  await migrate(database.adminUrl, database.url);
  return database;
}

/** Migrates again, with the roles of the expiry and of the audit. */
export async function withRoles({ adminUrl, url }: Database): Promise<{
  expiry: RecordsDatabase;
  audit: RecordsDatabase;
}> {
  const [expiryUrl, auditUrl] = ['payto_expiry', 'payto_audit'].map((user) =>
    url.replace('//payto:', `//${user}:`),
  ) as [string, string];
  await migrateRecords({
    admin: recordsUrl.parse(adminUrl),
    application: recordsUrl.parse(url),
    expiry: recordsUrl.parse(expiryUrl),
    audit: recordsUrl.parse(auditUrl),
    print: () => undefined,
  });
  return { expiry: opened(expiryUrl), audit: opened(auditUrl) };
}

/** A migration creates it. */
export function aMissingDatabase(): Database {
  const name = `records_${randomUUID().replaceAll('-', '')}`;
  const [adminUrl, url] = [inject('recordsAdminUrl'), inject('recordsUrl')].map((given) =>
    given.replace('payto_records', name),
  ) as [string, string];
  return { adminUrl, url, owner: opened(adminUrl), application: opened(url) };
}

export function opened(url: string): RecordsDatabase {
  const records = openRecords(recordsUrl.parse(url), PATIENT_MS);
  onTestFinished(() => records.close());
  return records;
}

/** Writes in a transaction that stays open. @returns commits it. */
export async function anOpenWrite(
  db: Kysely<Tables>,
  write: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const transaction = await db.startTransaction().execute();
  await write(transaction);
  return () => transaction.commit().execute();
}

/** As the next release could have it: it only adds, so this release works after it. */
export const NEXT = {
  '9001-next': {
    up: async (db: Kysely<unknown>) => {
      await sql`alter table payments add column note text not null default ''`.execute(db);
    },
    oldest: '0001-baseline',
    INDEXES: [{ name: 'payments_note', definition: sql`payments (note, uid)` }],
  },
} satisfies Record<string, RecordsMigration>;
