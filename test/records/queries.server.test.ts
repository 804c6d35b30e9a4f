import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { opened } from '../support/database.js';

test('the documented queries run as the application', async () => {
  const page = await readFile(new URL('../../docs/records.md', import.meta.url), 'utf8');
  const queries = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, query = '']) => query);
  expect(queries).toHaveLength(3);
  const { db } = opened(inject('recordsUrl'));
  for (const query of queries) await sql.raw(query.replace(/;\s*$/, '')).execute(db);
});
