import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { rebuildAllRows } from '../../records/rebuild-all.js';
import { rolesProblem } from '../../records/roles.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch } from '../support/a-batch.js';
import { aDatabase, withRoles } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { RecordsDatabase } from '../../records/database.js';

const refused = ({ db }: RecordsDatabase, statement: string) =>
  expect(sql.raw(statement).execute(db), statement).rejects.toThrow(/permission denied|must be owner/);

test('expiry may delete, but not change or add, and reads no secrets', async () => {
  const { expiry } = await withRoles(await aDatabase());
  for (const statement of [
    "update payments set state = 'settled'",
    "update entries set name = 'other'",
    'insert into entries default values',
    'delete from connections',
    'delete from tombstones',
    'delete from stops',
    'update feed_era set era = 1',
    'select * from webhook_secrets',
    'drop table payments',
  ])
    await refused(expiry, statement);
});

test('the audit reads rows, finds those whose columns differ, and writes nothing', async () => {
  const database = await aDatabase();
  const { audit } = await withRoles(database);
  await createRecords({ db: database.application.db, keyring: KEYRING }).write(aPaymentBatch());
  const check = (isApplied: boolean) =>
    rebuildAllRows({ db: audit.db, keyring: KEYRING, isApplied, onProgress: () => undefined });
  expect(await check(false)).toEqual({ rows: 1, changed: 0 });
  await sql`update payments set amount = amount + 1`.execute(database.owner.db);
  expect(await check(false)).toEqual({ rows: 1, changed: 1 });
  await expect(check(true)).rejects.toThrow('permission denied');
  for (const statement of ['delete from payments', 'select * from entries', 'select * from webhook_secrets'])
    await refused(audit, statement);
});

test('two roles with one user, or of two databases, are refused', () => {
  const of = (user: string, database = 'payto_records') =>
    recordsUrl.parse(`postgres://${user}:secret@127.0.0.1/${database}`);
  const problem = (expiry: string, database?: string) =>
    rolesProblem(of('owner'), { application: of('payto'), expiry: of(expiry, database) });
  expect(problem('payto_expiry')).toBeUndefined();
  expect(problem('owner')).toMatch(/^RECORDS_EXPIRY_URL: expected another user than RECORDS_ADMIN_URL/);
  expect(problem('payto')).toMatch(/^RECORDS_EXPIRY_URL: expected another user than RECORDS_URL/);
  expect(problem('payto_expiry', 'other')).toMatch(/^RECORDS_EXPIRY_URL: expected the database of/);
});
