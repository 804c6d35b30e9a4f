import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { expectedDays, type ExpectedDay } from '../../domain/settlement/expected.js';
import { addDays } from '../../domain/time/calendar.js';
import { startOfSydneyDay } from '../../domain/time/sydney.js';
import { createFloatEntries } from '../../records/float-entries.js';
import { createReader } from '../../records/read.js';
import { createSettlementReports } from '../../records/settlement.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { anUnmatchedCreditView } from '../support/api/builders.js';
import { opened } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { ResourceName } from '../../domain/resources.js';

const [BEFORE, DAY, AFTER] = ['2026-10-31', '2026-11-01', '2026-11-02'];
const noon = (day: string) => `${day}T02:00:00.000Z`;

interface Way {
  requested?: string;
  settled?: string;
  state?: string;
  reported?: [day: string, amount?: number];
  credited?: string;
  connection?: string;
}

/** A connection of our own in the shared database. */
function aWorld() {
  const both = { db: opened(inject('recordsUrl')).db, keyring: KEYRING };
  const id = randomUUID();
  const own = `con-${id}`;
  const lines = new Map<string, { uid: string; kind: 'payment' | 'refund'; amount: number }[]>();
  const store = (resource: ResourceName, uid: string, view: object, connectionId = own) =>
    createRecords(both).write({
      ...aPaymentBatch({ resource, uid, connectionId, entries: [] }),
      row: { version: 1, at: noon(DAY), view },
    });
  const go = async (resource: 'payment' | 'refund', uid: string, amount: number, way: Way) => {
    const { requested, settled, state = resource === 'payment' ? 'settled' : 'processed' } = way;
    const order =
      resource === 'payment'
        ? { agreement_uid: 'agr-1', amount }
        : { original_payment_uid: 'pay-1', refund_payment: { amount } };
    const times = {
      requestedAt: requested && noon(requested),
      stateSince: noon(settled ?? requested ?? DAY),
    };
    if (requested !== undefined)
      await store(resource, uid, aPaymentView({ ...times, state, order }), way.connection);
    const [day, reported = amount] = way.reported ?? [];
    if (day !== undefined)
      lines.set(day, [...(lines.get(day) ?? []), { uid, kind: resource, amount: reported }]);
    if (way.credited === undefined) return;
    const sign = resource === 'payment' ? 1 : -1;
    const entry = { id: `e-${uid}`, at: noon(way.credited), amount: sign * amount, balanceAfter: 0 };
    const account = { uid: `float-${id}`, connectionId: own, isNew: true };
    await createFloatEntries(both).storeEntries(account, [{ ...entry, description: uid }]);
  };
  const of = (day: string) => ({
    ...{ day, from: startOfSydneyDay(day), until: startOfSydneyDay(addDays(day, 1)), connection: own },
  });
  return {
    ...{ both, own, store },
    pay: async (amount: number, way: Way): Promise<string> => {
      const uid = `pay-${amount}-${id}`;
      await go('payment', uid, amount, way);
      return uid;
    },
    refund: (amount: number, way: Way) => go('refund', `ref-${amount}-${id}`, amount, way),
    report: async () => {
      for (const [day, rows] of lines)
        await createSettlementReports(both).storeReport({
          ...{ connectionId: own, day, content: { csv: 'x' }, checksum: day, at: noon(AFTER) },
          read: {
            state: 'stored',
            rows: rows.map((row, index) => ({ ...row, number: index + 1, settledAt: noon(day) })),
          },
        });
    },
    days: async (day: string): Promise<ExpectedDay[]> => {
      const { steps, planned } = await createReader(both).expected(of(day));
      return expectedDays(day, steps, planned);
    },
    reconcile: async (day: string) => (await createReader(both).reconcile({ ...of(day), limit: 0 })).compared,
  };
}

const explained = (day: ExpectedDay | undefined, to: string): string[] =>
  day?.differences
    .find((one) => one.to === to)
    ?.explained.map(({ name, count, amount }) => `${name} ${count} ${amount}`) ?? [];

async function aBusyDay() {
  const world = aWorld();
  const { pay, report } = world;
  const ON_TIME = { requested: DAY, settled: DAY };
  await pay(100, { ...ON_TIME, reported: [DAY], credited: DAY });
  await pay(200, { requested: DAY, state: 'pending' });
  const ends = { failed: 300, withdrawn: 400, lapsed: 20, unresolved: 30 };
  for (const [state, amount] of Object.entries(ends)) await pay(amount, { requested: DAY, state });
  await pay(500, { requested: DAY, settled: AFTER });
  await pay(600, { requested: BEFORE, settled: DAY, reported: [AFTER], credited: DAY });
  await pay(700, { ...ON_TIME, credited: DAY });
  await pay(800, { ...ON_TIME, reported: [DAY, 790], credited: DAY });
  await pay(900, { reported: [DAY] });
  await pay(1000, { requested: DAY, state: 'pending', reported: [DAY], credited: AFTER });
  await pay(1100, {
    requested: DAY,
    settled: DAY,
    reported: [DAY],
    connection: `con-${randomUUID()}`,
  });
  await pay(1200, { requested: BEFORE, state: 'pending', credited: DAY });
  await pay(1300, { requested: BEFORE, settled: BEFORE, credited: DAY });
  await report();
  return world;
}

test('each payment, line and float entry of a day has one name, and the names add up', async () => {
  const { days } = await aBusyDay();
  const [day, ...others] = await days(DAY);
  expect(others).toEqual([]);
  expect(explained(day, 'settled')).toEqual([
    ...['failed -1 -300', 'in_flight -2 -1200', 'lapsed -1 -20', 'requested_another_day 1 600'],
    ...['settled_another_day -1 -500', 'unresolved -1 -30', 'withdrawn -1 -400'],
  ]);
  expect(explained(day, 'reported')).toEqual([
    ...['amounts_differ 0 -10', 'missing_in_report -1 -700', 'not_settled_here 1 1000'],
    ...['other_connection 1 1100', 'other_day -1 -600', 'unknown_here 1 900'],
  ]);
  expect(explained(day, 'credited')).toEqual([
    ...['credited_amount_differs 0 10', 'credited_another_day -1 -1000', 'missing_in_report 1 700'],
    ...['not_credited -2 -2000', 'only_in_float 1 1200', 'reported_another_day 1 600'],
    ...['settled_another_day 1 1300'],
  ]);
  for (const { from, to, count, amount, explained: names } of day?.differences ?? []) {
    const [before, after] = [day?.[from], day?.[to]];
    expect([count, amount], to).toEqual([
      (after?.count ?? 0) - (before?.count ?? 0),
      (after?.amount ?? 0) - (before?.amount ?? 0),
    ]);
    expect(names.reduce((sum, one) => sum + one.amount, 0)).toBe(amount);
  }
});

test('the sides equal the views for finance, and the report is compared as in the reconciliation', async () => {
  const { days, reconcile, both, own } = await aBusyDay();
  const [day] = await days(DAY);
  const { rows } = await sql`
    select expected_count, expected_amount, settled_count, settled_amount, reported_count, reported_amount,
      credited_count, credited_amount
    from finance_days_v1 where connection_id = ${own} and day = ${DAY}`.execute(both.db);
  const sides = (['expected', 'settled', 'reported', 'credited'] as const).map(
    (side) => [side, day?.[side]] as const,
  );
  expect(rows).toEqual([
    Object.fromEntries(
      sides.flatMap(([side, total]) => [
        [`${side}_count`, total?.count],
        [`${side}_amount`, total?.amount],
      ]),
    ),
  ]);
  const compared = (await reconcile(DAY))
    .filter(({ comparison }) => !['agrees', 'only_in_float'].includes(comparison))
    .map(
      ({ comparison, settled, reported }) =>
        `${comparison} ${reported.count - settled.count} ${reported.amount - settled.amount}`,
    );
  expect(explained(day, 'reported')).toEqual(compared.toSorted());
});

test('refunds have days of their own, and a day without a report says so', async () => {
  const { pay, refund, days } = aWorld();
  await pay(100, { requested: DAY, settled: DAY, credited: DAY });
  await refund(40, { requested: BEFORE, settled: DAY, credited: DAY });
  await refund(50, { requested: DAY, state: 'processing' });
  const found = await days(DAY);
  expect(found.map(({ resource, expected, credited }) => [resource, expected, credited])).toEqual([
    ['payment', { count: 1, amount: 100 }, { count: 1, amount: 100 }],
    ['refund', { count: 1, amount: 50 }, { count: 1, amount: 40 }],
  ]);
  expect(found.map((one) => [explained(one, 'reported'), explained(one, 'credited')])).toEqual([
    [['unreported -1 -100'], ['unreported 1 100']],
    [['unreported -1 -40'], ['unreported 1 40']],
  ]);
});

test('what a plan will request is planned on the day it is taken, until the agreement has ended', async () => {
  const { store, days, both, own } = aWorld();
  const uid = `agr-${own}`;
  const plan = {
    owed: { date: BEFORE, from: DAY, amount: 1 },
    upcoming: [
      { date: BEFORE, takenOn: AFTER, amount: 20 },
      { date: AFTER, amount: 300 },
      { date: AFTER, amount: 4000, refusal: { code: 'too_much' } },
    ],
  };
  const view = { state: 'active', attention: [], plan };
  await store('agreement', uid, view);
  const planned = async (day: string) => (await days(day)).map((one) => [one.resource, one.planned]);
  expect(await planned(DAY)).toEqual([['payment', { count: 1, amount: 1 }]]);
  expect(await planned(AFTER)).toEqual([['payment', { count: 2, amount: 320 }]]);
  await createRecords(both).write({
    ...aPaymentBatch({ resource: 'agreement', uid, connectionId: own, entries: [] }),
    ...{ follows: 1, row: { version: 2, at: noon(DAY), view: { ...view, state: 'cancelled' } } },
  });
  expect(await planned(AFTER)).toEqual([]);
});

test('a credit that an operator matched to the payment explains that none was found', async () => {
  const { pay, report, days, store } = aWorld();
  const uid = await pay(100, { requested: DAY, settled: DAY, reported: [DAY] });
  await store('unmatched-credit', `case-${uid}`, {
    ...anUnmatchedCreditView({ uid: `case-${uid}`, state: 'matched', stateSince: noon(DAY) }),
    resolution: { decision: 'matched', paymentUid: uid, by: 'x', reason: 'x', at: noon(DAY) },
  });
  await report();
  expect(explained((await days(DAY))[0], 'credited')).toEqual(['credited_by_decision -1 -100']);
});
