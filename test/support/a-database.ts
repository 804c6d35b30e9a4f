import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { opened } from './opened-records.js';
import { migrate } from './records.js';
import type { RecordsDatabase } from '../../records/database.js';
import type { MigrateOptions } from '../../records/migrate.js';

export interface Database {
  adminUrl: string;
  url: string;
  owner: RecordsDatabase;
  application: RecordsDatabase;
}

export async function aDatabase(upTo?: MigrateOptions['upTo']): Promise<Database> {
  const name = `records_${randomUUID().replaceAll('-', '')}`;
  const [adminUrl, url] = [inject('recordsAdminUrl'), inject('recordsUrl')].map((given) =>
    given.replace('payto_records', name),
  ) as [string, string];
  await migrate(adminUrl, url, upTo);
  return { adminUrl, url, owner: opened(adminUrl), application: opened(url) };
}
