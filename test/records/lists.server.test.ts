import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createReader } from '../../records/read.js';
import { sealRow } from '../../records/sealed.js';
import { tagsToFind } from '../../records/tags.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/database.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { KEYRING } from '../support/temporal.js';
import type { Tables } from '../../records/tables.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { PaymentView } from '../../workflows/payment/contract.js';
import type { RowFilter, RowsRequest } from '../../records/lists.js';

const AT = '2026-11-01T02:03:04.000Z';

async function aRoom(keyring: Keyring = KEYRING) {
  const { application } = await aDatabase();
  const { db } = application;
  const records = createRecords({ db, keyring });
  const stored = async (over: object = {}, uid = `pay-${randomUUID()}`): Promise<string> => {
    const row = { version: 2, at: AT, view: aPaymentView({ uid, ...over }) };
    await records.write(aPaymentBatch({ uid, row }));
    return uid;
  };
  const reader = createReader({ db, keyring });
  const page = (request: Partial<RowsRequest>) =>
    reader.list('payment', {
      ...{ filter: {}, sort: { by: 'created', isDescending: true }, after: undefined, limit: 100 },
      ...request,
    });
  const uidsOf = async (
    filter: RowFilter,
    sort: RowsRequest['sort'] = { by: 'created', isDescending: true },
  ) => ((await page({ filter, sort })).views as PaymentView[]).map(({ uid }) => uid);
  return { db, records, reader, stored, page, uidsOf };
}

test('a filter matches exactly the payments that have its value', async () => {
  const { stored, uidsOf } = await aRoom();
  const order = {
    agreement_uid: 'agr-9',
    amount: 700,
    reference: 'INV 9',
    metadata: { order: 77, paid: true },
  };
  const attention = [{ code: 'overdue', since: AT, detail: 'd', next: 'n' }];
  const other = {
    state: 'failed',
    awaiting: { what: 'operator', since: AT },
    requestedAt: '2026-10-01T00:00:00.000Z',
    stateSince: '2026-10-02T00:00:00.000Z',
    failure: { code: 'AM04' },
  };
  const wanted = await stored({ ...other, order, attention });
  const rest = await stored();
  const only: RowFilter[] = [
    { states: ['failed'] },
    { awaiting: 'operator' },
    { code: 'AM04' },
    { entered: { from: '2026-10-02T00:00:00.000Z', until: '2026-10-03T00:00:00.000Z' } },
    { attention: 'overdue' },
    { agreement: 'agr-9' },
    { amount: { from: 700, until: 701 } },
    { created: { until: '2026-10-01T00:00:00.001Z' } },
    { terms: [{ reference: 'INV 9' }] },
    {
      terms: [
        { metadata: 'order', value: '77' },
        { metadata: 'paid', value: 'true' },
      ],
    },
    { connection: 'acme', states: ['failed', 'lapsed'], updated: { from: AT } },
  ];
  for (const filter of only) expect(await uidsOf(filter), JSON.stringify(filter)).toEqual([wanted]);
  expect(await uidsOf({ settled: { from: AT } })).toEqual([rest]);
  expect(await uidsOf({ awaiting: 'nothing' })).toEqual([rest]);
  const none: RowFilter[] = [
    { terms: [{ metadata: 'reference', value: 'INV 9' }] },
    { terms: [{ metadata: 'order', value: '78' }] },
    { states: [] },
    { connection: "x' or 'a'='a" },
  ];
  for (const filter of none) expect(await uidsOf(filter), JSON.stringify(filter)).toEqual([]);
});

test('a search finds rows that were tagged with an older key, and no tag shows its value', async () => {
  const { db, stored } = await aRoom();
  const uid = await stored({
    order: { amount: 1, agreement_uid: 'agr-1', metadata: { who: 'Planted Name' } },
  });
  const [{ key }] = KEYRING;
  const newer = { id: 'k2', key };
  const { list } = createReader({ db, keyring: [newer, ...KEYRING] });
  const filter = { terms: [{ metadata: 'who', value: 'Planted Name' }] };
  const sort = { by: 'created', isDescending: true } as const;
  const { views } = await list('payment', { filter, sort, after: undefined, limit: 2 });
  expect(views).toMatchObject([{ uid }]);
  const { rows } = await sql<{ tags: string[] }>`select search_tags as tags from payments`.execute(db);
  // Of its uid and of its metadata.
  const tag = expect.stringMatching(/^k1\.[\w-]{16}$/) as string;
  expect(rows[0]?.tags).toEqual([tag, tag]);
});

test.each([
  ['created', true],
  ['created', false],
  ['amount', true],
  ['settled', false],
] as const)(
  'pages sorted by %s (descending: %s) have each row once while others are written and changed',
  async (by, isDescending) => {
    const { records, stored, page } = await aRoom();
    const hour = (n: number) => new Date(Date.parse(AT) + Math.floor(n / 3) * 3_600_000).toISOString();
    const planted: string[] = [];
    for (let n = 0; n < 40; n += 1)
      planted.push(
        await stored({
          requestedAt: hour(n),
          stateSince: hour(n),
          order: { agreement_uid: 'a', amount: n % 7 },
        }),
      );
    const seen: string[] = [];
    for (let after: RowsRequest['after'], steps = 0; steps === 0 || after !== undefined; steps += 1) {
      const { views, next } = await page({ sort: { by, isDescending }, after, limit: 3 });
      seen.push(...(views as PaymentView[]).map(({ uid }) => uid));
      const changed = planted[(steps * 11) % planted.length] ?? '';
      const n = planted.indexOf(changed);
      const view = {
        ...{ requestedAt: hour(n), stateSince: hour(n), order: { agreement_uid: 'a', amount: n % 7 } },
        submissions: steps + 2,
      };
      const row = { version: steps + 3, at: hour(90), view: aPaymentView({ uid: changed, ...view }) };
      await records.write(aPaymentBatch({ uid: changed, row }));
      await stored({ requestedAt: hour(steps * 5), stateSince: hour(steps * 5) }, `new-${randomUUID()}`);
      after = next;
    }
    const known = seen.filter((uid) => planted.includes(uid));
    expect(known.toSorted()).toEqual(planted.toSorted());
    expect(new Set(seen).size).toBe(seen.length);
  },
);

test.each([
  ['few rows have the tag', 40, 100],
  ['the first rows in the order have the tag', 8000, 100],
  ['many later rows have the tag', 5500, 100],
  ['fewer rows than a page have the tag, and many', 5500, 6000],
])('a search finds the same rows in the same order when %s', async (_, tagged, limit) => {
  const { db, page } = await aRoom();
  await plant(db, { count: 8000, tagged });
  const sort = { by: 'amount', isDescending: true } as const;
  const filter: RowFilter = { terms: [{ reference: 'INV 9' }], connection: 'acme' };
  const first = await page({ filter, sort, limit });
  const expected = Array.from({ length: tagged }, (_, n) => `pay-${tagged - 1 - n}`);
  expect(first.views).toEqual(expected.slice(0, limit).map((uid) => ({ uid })));
  const second = await page({ filter, sort, limit, after: first.next ?? { value: '-1', uid: '' } });
  expect(second.views).toEqual(expected.slice(limit, 2 * limit).map((uid) => ({ uid })));
});

/** Payments with rising amounts. The first ones have the reference. */
async function plant(
  db: Kysely<Tables>,
  { count, tagged }: { count: number; tagged: number },
): Promise<void> {
  const uids = Array.from({ length: count }, (_, n) => `pay-${n}`);
  const sealed = uids.map(
    (uid) => sealRow(KEYRING, 'payments', { uid, connectionId: 'acme' }, { uid }).sealed,
  );
  await sql`
    insert into payments (changed_era, uid, workflow_id, connection_id, version, state, attention, amount, updated_at, key_id, sealed,
      search_tags)
    select 1, uid, uid, 'acme', 1, 'settled', '{}', n, ${AT}::timestamptz, 'k1', sealed,
      case when n <= ${tagged} then ${tagsToFind(KEYRING, 'payment', { reference: 'INV 9' })}::text[] else '{}' end
    from unnest(${uids}::text[], ${sealed}::bytea[]) with ordinality as each (uid, sealed, n)`.execute(db);
}

test('the timeline has every entry in order, in pages, without the stored views', async () => {
  const { records, reader } = await aRoom();
  const entries = [3, 1, 2, 4].map((sequence) => anEntry(sequence));
  await records.write(aPaymentBatch({ uid: 'pay-1', workflowId: 'payment/pay-1', entries }));
  const first = await reader.timeline('payment', 'pay-1', { after: undefined, limit: 3 });
  expect(first.entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  const second = await reader.timeline('payment', 'pay-1', { after: first.next, limit: 3 });
  expect(second).toMatchObject({ entries: [{ sequence: 4, data: { type: 'settled' } }] });
  expect(second.next).toBeUndefined();
});

test('totals count each payment once, on the Sydney day on which it entered its state', async () => {
  const { stored, reader } = await aRoom();
  await stored({ stateSince: '2026-10-31T13:30:00.000Z' });
  await stored({ stateSince: '2026-10-31T12:30:00.000Z' });
  await stored({ stateSince: '2026-10-31T12:31:00.000Z', state: 'failed' });
  const entered = { from: '2026-10-30T13:00:00.000Z', until: '2026-11-01T13:00:00.000Z' };
  expect(await reader.totals('payment', {}, entered)).toEqual([
    { day: '2026-10-31', state: 'failed', count: 1, amount: 4200 },
    { day: '2026-10-31', state: 'settled', count: 1, amount: 4200 },
    { day: '2026-11-01', state: 'settled', count: 1, amount: 4200 },
  ]);
});
