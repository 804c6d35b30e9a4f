import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { MIGRATIONS, type MigrationName } from '../../records/migrations/all.js';
import { opened } from './opened-records.js';
import { migrate } from './records.js';
import type { RecordsDatabase } from '../../records/database.js';

export interface Database {
  adminUrl: string;
  url: string;
  owner: RecordsDatabase;
  application: RecordsDatabase;
}

export async function aDatabase(upTo?: MigrationName): Promise<Database> {
  const name = `records_${randomUUID().replaceAll('-', '')}`;
  const [adminUrl, url] = [inject('recordsAdminUrl'), inject('recordsUrl')].map((given) =>
    given.replace('payto_records', name),
  ) as [string, string];
  const isWanted = ([migration]: [string, unknown]) => upTo === undefined || migration <= upTo;
  await migrate(adminUrl, url, Object.fromEntries(Object.entries(MIGRATIONS).filter(isWanted)));
  return { adminUrl, url, owner: opened(adminUrl), application: opened(url) };
}
