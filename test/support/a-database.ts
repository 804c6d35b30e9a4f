import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { opened } from './opened-records.js';
import { migrate } from './records.js';
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

/** A migration creates it. */
export function aMissingDatabase(): Database {
  const name = `records_${randomUUID().replaceAll('-', '')}`;
  const [adminUrl, url] = [inject('recordsAdminUrl'), inject('recordsUrl')].map((given) =>
    given.replace('payto_records', name),
  ) as [string, string];
  return { adminUrl, url, owner: opened(adminUrl), application: opened(url) };
}
