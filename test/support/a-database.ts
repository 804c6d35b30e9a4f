import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { opened } from './opened-records.js';
import { migrate } from './records.js';
import { migrateRecords } from '../../records/migrate.js';
import { recordsUrl } from '../../records/settings.schema.js';
import type { RecordsDatabase } from '../../records/database.js';

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
