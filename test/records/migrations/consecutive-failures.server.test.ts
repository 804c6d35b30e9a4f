import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createRecords } from '../../../records/write.js';
import { aPaymentBatch, anEntry } from '../../support/a-batch.js';
import { aDatabase } from '../../support/a-database.js';
import { migrate } from '../../support/records.js';
import { KEYRING } from '../../support/temporal.js';

test('the flag `strikes` becomes `consecutive_failures` in rows and entries; other names stay', async () => {
  const { adminUrl, url, owner, application } = await aDatabase('0020-erasure');
  const at = '2026-11-01T02:03:04.000Z';
  await createRecords({ db: application.db, keyring: KEYRING }).write(
    aPaymentBatch({
      resource: 'agreement',
      entries: [
        anEntry(1, { kind: 'attention', name: 'strikes', factId: undefined }),
        anEntry(2, { name: 'strikes' }),
      ],
      row: {
        version: 3,
        at,
        view: { state: 'active', attention: [{ code: 'plan' }, { code: 'strikes' }], requestedAt: at },
      },
    }),
  );
  await migrate(adminUrl, url);
  const { rows } = await sql`select attention from agreements`.execute(owner.db);
  expect(rows).toEqual([{ attention: ['plan', 'consecutive_failures'] }]);
  const entries = await sql`select name from entries where kind <> 'view' order by sequence`.execute(
    owner.db,
  );
  expect(entries.rows).toEqual([{ name: 'consecutive_failures' }, { name: 'strikes' }]);
});
