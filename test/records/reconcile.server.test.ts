import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { createReader } from '../../records/read.js';
import { createSettlementReports } from '../../records/settlement.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { opened } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { SettlementRow } from '../../domain/settlement/report.js';

const DAY = { day: '2026-11-01', from: '2026-10-31T13:00:00.000Z', until: '2026-11-01T13:00:00.000Z' };
const NEXT = { day: '2026-11-02', from: DAY.until, until: '2026-11-02T13:00:00.000Z' };
const AT = '2026-11-01T02:03:04.000Z';
const AT_NEXT = '2026-11-01T14:00:00.000Z';

/** Two connections of our own in the shared database. */
function aWorld() {
  const both = { db: opened(inject('recordsUrl')).db, keyring: KEYRING };
  const [own, other] = [`con-${randomUUID()}`, `con-${randomUUID()}`];
  const { write } = createRecords(both);
  let version = 0;
  return {
    ...{ own, other, write },
    pay: async (amount: number, { connectionId = own, state = 'settled' } = {}): Promise<string> => {
      const batch = aPaymentBatch({ connectionId, entries: [] });
      const view = aPaymentView({ state, order: { agreement_uid: 'agr-1', amount } });
      await write({ ...batch, row: { version: 1, at: AT, view } });
      return batch.uid;
    },
    report: (day: string, rows: SettlementRow[], connectionId = own) =>
      createSettlementReports(both).storeReport({
        ...{
          connectionId,
          day,
          content: { csv: 'x' },
          checksum: `c${(version += 1)}`,
          read: { state: 'stored', rows },
        },
        at: new Date(Date.parse('2026-11-03T00:00:00Z') + version * 1000).toISOString(),
      }),
    reconcile: (connection: string | undefined) =>
      createReader(both).reconcile({ ...DAY, connection, limit: 100 }),
    found: async (of: typeof DAY = DAY, connection = own) =>
      (await createReader(both).reconcile({ ...of, connection, limit: 100 })).exceptions
        .map(
          ({ kind, settledAmount, reportedAmount }) =>
            `${kind} ${settledAmount ?? '-'} ${reportedAmount ?? '-'}`,
        )
        .toSorted(),
  };
}

const aRow = (
  number: number,
  uid: string,
  amount?: number,
  over: Partial<SettlementRow> = {},
): SettlementRow => ({
  ...{ number, uid, kind: 'payment', amount, settledAt: AT },
  ...over,
});

test('a line of an earlier version of a report explains nothing, on its own day or on another', async () => {
  const { pay, report, found } = aWorld();
  const uid = await pay(5000);
  await report(DAY.day, [aRow(1, uid, 5000)]);
  expect(await found()).toEqual([]);
  await report(DAY.day, [aRow(1, 'stranger', 1)]);
  expect(await found()).toEqual(['missing_in_report 5000 -', 'unknown_here - 1']);
  await report(NEXT.day, [aRow(1, uid, 5000, { settledAt: AT_NEXT })]);
  expect(await found()).toEqual(['other_day 5000 5000', 'unknown_here - 1']);
  await report(NEXT.day, []);
  expect(await found()).toEqual(['missing_in_report 5000 -', 'unknown_here - 1']);
});

test('a payment that the reports of two days have is a repeated line on the later one', async () => {
  const { pay, report, found } = aWorld();
  const [uid, late] = [await pay(5000), await pay(600)];
  await report(DAY.day, [aRow(1, uid, 5000)]);
  await report(NEXT.day, [
    aRow(1, uid, 9000, { settledAt: AT_NEXT }),
    aRow(2, late, 600, { settledAt: AT_NEXT }),
  ]);
  expect(await found()).toEqual(['other_day 600 600']);
  expect(await found(NEXT)).toEqual(['other_day - 600', 'repeated_line - 9000']);
});

test('in a report without types a negative refund is a refund, and a negative payment a reversal', async () => {
  const { pay, report, found, own, write } = aWorld();
  const uid = await pay(5000);
  const refund = aPaymentBatch({ resource: 'refund', connectionId: own, entries: [] });
  const order = { original_payment_uid: uid, refund_payment: { amount: 40 } };
  await write({
    ...refund,
    row: { version: 1, at: AT, view: { ...aPaymentView({ state: 'processed', stateSince: AT }), order } },
  });
  await report(DAY.day, [
    aRow(1, uid, -5000, { kind: undefined, problem: 'reversal' }),
    aRow(2, refund.uid, -40, { kind: undefined, problem: 'reversal' }),
  ]);
  expect(await found()).toEqual(['missing_in_report 5000 -', 'reversal - -5000']);
});

test('only a usable line with the same kind, amount and sign is on another day', async () => {
  const { pay, report, found } = aWorld();
  const [less, unusable, refund, back] = [await pay(5000), await pay(6000), await pay(7000), await pay(8000)];
  await report(DAY.day, []);
  const settledAt = AT_NEXT;
  await report(NEXT.day, [
    aRow(1, less, 4000, { settledAt }),
    aRow(2, unusable, undefined, { settledAt }),
    aRow(3, refund, 7000, { settledAt, kind: 'refund' }),
    aRow(4, back, -8000, { settledAt, problem: 'reversal' }),
  ]);
  expect(await found()).toEqual([
    'amounts_differ 5000 4000',
    ...[6000, 7000, 8000].map((amount) => `missing_in_report ${amount} -`),
  ]);
  expect(await found(NEXT)).toEqual([
    'other_day - 4000',
    'reversal - -8000',
    'unknown_here - 7000',
    'unreadable_line - -',
  ]);
});

test('a reversal never agrees, and a payment of another connection is named', async () => {
  const { pay, report, reconcile, own, other } = aWorld();
  const [reversed, foreign] = [await pay(5000), await pay(700, { connectionId: other })];
  await report(DAY.day, [
    aRow(1, reversed, -5000, { problem: 'reversal' }),
    aRow(2, foreign, 700),
    aRow(3, 'fee-1', 30, { problem: 'unlisted_type', kind: undefined }),
  ]);
  const { compared, exceptions } = await reconcile(own);
  expect(compared.map(({ comparison, reported }) => [comparison, reported.amount])).toEqual([
    ['missing_in_report', 0],
    ['other_connection', 700],
    ['reversal', -5000],
    ['unlisted_type', 30],
  ]);
  const { connectionId, otherConnectionId } =
    exceptions.find(({ kind }) => kind === 'other_connection') ?? {};
  expect([connectionId, otherConnectionId]).toEqual([own, other]);
});

test('each line and each settled payment is in exactly one group, whatever a report says', async () => {
  const { pay, report, reconcile, own } = aWorld();
  const kinds = ['payment', 'refund', undefined] as const;
  const problems = [undefined, undefined, undefined, 'reversal', 'unlisted_type'] as const;
  let seed = 7;
  const draw = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % (most + 1);
  const uids = ['', 'stranger'];
  let settled = 0;
  for (let n = 0; n < 12; n += 1) {
    const state = draw(3) === 0 ? 'pending' : 'settled';
    if (state === 'settled') settled += 1;
    uids.push(await pay(1 + draw(3), { state }));
  }
  const rows = Array.from({ length: 60 }, (_, index) =>
    aRow(index + 1, uids[draw(uids.length - 1)] ?? '', draw(4) === 0 ? undefined : 1 + draw(3), {
      ...{ kind: kinds[draw(2)], problem: problems[draw(4)] },
    }),
  );
  await report(DAY.day, rows);
  const { compared, exceptions } = await reconcile(own);
  const lines = exceptions.flatMap(({ line }) => line ?? []);
  const agreeing = compared.find(({ comparison }) => comparison === 'agrees')?.reported.count ?? 0;
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length + agreeing).toBe(rows.length);
  expect(compared.reduce((sum, { settled: { count } }) => sum + count, 0)).toBe(settled);
});

test('a report is awaited only of a connection with a consent on the day', async () => {
  const { write, reconcile } = aWorld();
  const connect = async (since: string, states: readonly [string, string][]): Promise<string> => {
    const uid = `con-${randomUUID()}`;
    const entries = states.map(([name, at], index) =>
      anEntry(index + 1, { kind: 'state', name, at, factId: undefined }),
    );
    const [state, stateSince] = states.at(-1) ?? ['healthy', since];
    await write({
      ...aPaymentBatch({
        resource: 'connection',
        uid,
        connectionId: uid,
        workflowId: `connection/${uid}`,
        entries,
      }),
      row: { version: 9, at: AT, view: { status: state, stateSince, requestedAt: since, attention: [] } },
    });
    return uid;
  };
  const lost = 'needs_reauthorisation';
  const before = '2026-01-01T00:00:00.000Z';
  const ids = {
    consented: await connect(before, [['healthy', before]]),
    withoutHistory: await connect(before, []),
    lostOnTheDay: await connect(before, [
      ['healthy', before],
      [lost, AT],
    ]),
    lostLater: await connect(before, [
      ['healthy', before],
      [lost, AT_NEXT],
    ]),
    lostBefore: await connect(before, [
      ['healthy', before],
      [lost, '2026-02-01T00:00:00.000Z'],
    ]),
    restored: await connect(before, [
      ['healthy', before],
      [lost, '2026-02-01T00:00:00.000Z'],
      ['healthy', AT],
    ]),
    later: await connect(AT_NEXT, [['healthy', AT_NEXT]]),
  };
  const { awaited } = await reconcile(undefined);
  const names = Object.entries(ids).flatMap(([name, uid]) => (awaited.includes(uid) ? [name] : []));
  expect(names).toEqual(['consented', 'withoutHistory', 'lostOnTheDay', 'lostLater', 'restored']);
  expect((await reconcile(ids.lostBefore)).awaited).toEqual([]);
});
