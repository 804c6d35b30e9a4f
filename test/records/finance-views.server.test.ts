import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { createSettlementReports } from '../../records/settlement.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { opened } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';

const common = ['connection_id', 'day', 'resource', 'uid', 'amount'];

// As docs/records.md has them. A change needs a view with the next version.
test.each([
  ['finance_expected_v1', [...common, 'state', 'requested_at', 'settled_day']],
  ['finance_settled_v1', [...common, 'settled_at']],
  ['finance_reported_v1', [...common, 'settled_at', 'report_id', 'line']],
  ['finance_credited_v1', [...common, 'at', 'account_uid', 'entry_id']],
  ['finance_planned_v1', ['connection_id', 'day', 'agreement_uid', 'amount']],
  [
    'finance_days_v1',
    [
      ...['connection_id', 'day', 'resource'],
      ...['expected', 'settled', 'reported', 'credited'].flatMap((side) => [
        `${side}_count`,
        `${side}_amount`,
      ]),
    ],
  ],
])('%s has exactly the documented columns', async (view, columns) => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${view} order by ordinal_position`.execute(
    opened(inject('recordsUrl')).db,
  );
  expect(rows.map(({ name }) => name)).toEqual(columns);
});

test('a day counts the newest report only, without repeated lines, on the day in Sydney', async () => {
  const both = { db: opened(inject('recordsUrl')).db, keyring: KEYRING };
  const connectionId = `con-${randomUUID()}`;
  const batch = aPaymentBatch({ connectionId, entries: [] });
  const at = '2026-10-31T13:00:00.000Z';
  const view = aPaymentView({
    state: 'settled',
    stateSince: at,
    order: { agreement_uid: 'agr-1', amount: 5000 },
  });
  await createRecords(both).write({ ...batch, row: { version: 1, at, view } });
  const line = { uid: batch.uid, kind: 'payment' as const, settledAt: at };
  const report = (checksum: string, minute: string, amounts: number[]) =>
    createSettlementReports(both).storeReport({
      ...{
        connectionId,
        day: '2026-11-01',
        content: { csv: 'x' },
        checksum,
        at: `2026-11-03T00:0${minute}:00.000Z`,
      },
      read: {
        state: 'stored',
        rows: amounts.map((amount, index) => ({ ...line, number: index + 1, amount })),
      },
    });
  await report('first', '1', [1]);
  await report('second', '2', [4900, 4900]);
  const { rows } = await sql`
    select settled_count, settled_amount, reported_count, reported_amount, credited_count
    from finance_days_v1 where connection_id = ${connectionId} and day = '2026-11-01'`.execute(both.db);
  expect(rows).toEqual([
    { settled_count: 1, settled_amount: 5000, reported_count: 1, reported_amount: 4900, credited_count: 0 },
  ]);
});
