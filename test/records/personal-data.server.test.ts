// The list of places with personal data has every column, search attribute and memo that exists, and no other.
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { PLACES_IN_RECORDS, PLACES_IN_TEMPORAL, namesIn } from '../../records/personal-data.js';
import { REPORTED_MEMO } from '../../workflows/unmatched-credit/contract.js';
import { MEMO } from '../../workflows/key/contract.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/search-attributes.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/database.js';
import { aPaymentBatch, anEntry } from '../support/a-batch.js';
import { KEYRING } from '../support/temporal.js';

test('every column of the real schema is judged, once', async () => {
  const { owner } = await aDatabase();
  const { rows } = await sql<{ table: string; names: string[] }>`
    select columns.table_name as table, array_agg(column_name::text order by column_name) as names
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' group by 1`.execute(owner.db);
  const real = Object.fromEntries(rows.map(({ table, names }) => [table, names.toSorted()]));
  const listed = Object.entries(PLACES_IN_RECORDS).map(([table, places]) => [
    table,
    namesIn(places).toSorted(),
  ]);
  expect(Object.fromEntries(listed)).toEqual(real);
});

test('every sealed column is personal, or has only our own secrets', () => {
  const other = Object.entries(PLACES_IN_RECORDS).flatMap(([table, { other: names }]) =>
    /\b(?:sealed|carried|search_tags)\b(?!_)/.test(names) ? [table] : [],
  );
  expect(other).toEqual(['webhook_secrets', 'sealing_keys']);
});

test('every search attribute and memo is judged', () => {
  expect(namesIn(PLACES_IN_TEMPORAL.searchAttributes).toSorted()).toEqual(
    SEARCH_ATTRIBUTES.map(({ name }) => name).toSorted(),
  );
  expect(Object.keys(PLACES_IN_TEMPORAL.memos)).toEqual([MEMO, REPORTED_MEMO]);
  const uses = globSync('{activities,api,cli,delivery,workflows,worker}/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:\bmemo: ?|upsertMemo\()\{ ?([^:}]*):/g)].map(
      ([, key]) => key,
    ),
  );
  expect(new Set(uses)).toEqual(new Set(['[MEMO]', '[REPORTED_MEMO]', '[contract.REPORTED_MEMO]']));
});

test('an id of an event that may contain a name is in clear only as a hash', async () => {
  const { owner, application } = await aDatabase();
  const fact = { id: 'Ada-Payer-87654321', type: 'Ada.Payer', source: 'webhook', detail: { name: 'Ada' } };
  await createRecords({ db: application.db, keyring: KEYRING }).write({
    ...aPaymentBatch({ resource: 'notification', uid: 'n-1', workflowId: 'notification/n-1' }),
    entries: [anEntry(1, { factId: fact.id, name: fact.type, data: fact })],
    row: { version: 2, at: '2026-11-01T00:00:00.000Z', view: { state: 'open', resourceType: 'Ada', fact } },
  });
  const { rows } = await sql<{ text: string }>`
    select entries::text || notifications::text as text from entries, notifications`.execute(owner.db);
  expect(rows[0]?.text).toMatch(/sha256-[0-9a-f]{64}/);
  for (const { text } of rows) expect(text).not.toMatch(/Ada|Payer|87654321/);
});
