import { expect, test } from 'vitest';
import { createFloatEntries } from '../../records/float-entries.js';
import { createReader } from '../../records/read.js';
import { createSettlementReports } from '../../records/settlement.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import { aRefundView, anAgreementView, anUnmatchedCreditView } from '../support/api/builders.js';
import type { ResourceName } from '../../domain/resources.js';
import type { SettlementRow } from '../../domain/settlement/report.js';

const DAY = '2026-11-01';
const FROM = '2026-10-31T13:00:00.000Z';
const UNTIL = '2026-11-01T13:00:00.000Z';
const AT = '2026-11-01T02:03:04.000Z';
const DAY_BEFORE = '2026-10-31T12:59:59.999Z';
const ACCOUNT = { uid: 'float-1', connectionId: 'acme', isNew: true };

async function aLedger() {
  const { owner, application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const records = createRecords(opened);
  const store = (resource: ResourceName, uid: string, view: object, connectionId = 'acme') =>
    records.write({
      ...aPaymentBatch({ resource, uid, connectionId, workflowId: `${resource}/${uid}`, entries: [] }),
      row: { version: 1, at: AT, view },
    });
  const payment = (uid: string, amount: number, over: object = {}) =>
    store(
      'payment',
      uid,
      aPaymentView({ ...over, order: { agreement_uid: 'agr-1', amount, reference: `INV ${uid}` } }),
    );
  const entry = (id: string, amount: number, description: string, at = AT) => ({
    ...{ id, at, amount, balanceAfter: 0, description },
  });
  return {
    owner,
    ...createFloatEntries(opened),
    ...createSettlementReports(opened),
    reader: createReader(opened),
    ...{ store, payment, entry },
    refund: (uid: string, amount: number) =>
      store('refund', uid, {
        ...aRefundView({ uid, state: 'processed', stateSince: AT }),
        order: { original_payment_uid: 'pay-1', refund_payment: { type: 'float_bank_payment', amount } },
      }),
  };
}

const aRow = (
  number: number,
  uid: string,
  amount: number | undefined,
  over: Partial<SettlementRow> = {},
) => ({
  ...{ number, uid, kind: 'payment' as const, amount, settledAt: AT },
  ...over,
});
const aReport = (checksum: string, rows: SettlementRow[], over: object = {}) => ({
  ...{
    connectionId: 'acme',
    day: DAY,
    content: { csv: `csv of ${checksum}` },
    checksum,
    at: '2026-11-02T03:00:00.000Z',
  },
  read: { state: 'stored' as const, rows },
  ...over,
});

test('an entry is matched by a uid of the same amount, once, and never by the text of an unmatched credit', async () => {
  const {
    storeEntries,
    countEntries,
    matchEntries,
    creditsWithoutCase,
    floatEntry,
    store,
    payment,
    refund,
    entry,
    reader,
  } = await aLedger();
  await payment('pay-1', 500);
  await refund('ref-1', 20);
  await store('unmatched-credit', 'reported', anUnmatchedCreditView({ uid: 'reported' }));
  const entries = [
    ...[entry('paid', 500, 'PayTo payment pay-1.'), entry('again', 500, 'PayTo payment pay-1')],
    ...[entry('other-amount', 499, 'pay-1'), entry('reported', 500, 'pay-1')],
    ...[entry('refunded', -20, 'Refund ref-1: x'), entry('returned', 20, 'Reversal of ref-1')],
    ...[entry('early', 70, 'PayTo payment pay-2'), entry('fee', -5, 'pay-1')],
  ];
  for (let times = 0; times < 2; times += 1) await storeEntries(ACCOUNT, entries);
  expect(await countEntries('float-1')).toBe(8);
  const listed = async (isMatched: boolean) => {
    const request = { accountUid: 'float-1', filter: { isMatched }, before: undefined, limit: 20 };
    return (await reader.floatEntries(request)).map(({ id }) => id).toSorted();
  };
  expect(await listed(true)).toEqual(['paid', 'refunded', 'returned']);
  const stored = { from: '2020-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' };
  expect((await creditsWithoutCase('float-1', stored)).toSorted()).toEqual([
    'again',
    'early',
    'other-amount',
  ]);

  await payment('pay-2', 70);
  expect(await matchEntries(ACCOUNT)).toBe(1);
  expect(await matchEntries(ACCOUNT)).toBe(0);
  expect(await listed(false)).toEqual(['again', 'fee', 'other-amount', 'reported']);
  expect(await floatEntry('float-1', 'paid')).toMatchObject({ amount: 500, connectionId: 'acme' });
  expect(await floatEntry('float-2', 'paid')).toBeUndefined();
  await storeEntries({ ...ACCOUNT, isNew: false }, [entry('history', 9, 'x')]);
  expect(await creditsWithoutCase('float-1', stored)).not.toContain('history');
});

test('candidates have their reasons, the most telling first, and only of the connection', async () => {
  const { store, payment, reader } = await aLedger();
  const debtor = { account_identifier: { type: 'bban', value: '200001-12340001' } };
  const mandate = { payment_terms: { type: 'fixed', amount: 700 }, debtor };
  await store('agreement', 'agr-1', anAgreementView({ uid: 'agr-1', mandate }));
  await payment('named', 1);
  await payment('same', 700);
  await payment('late', 700, { requestedAt: '2026-11-20T02:03:04.000Z' });
  await payment('far', 700, { requestedAt: '2026-01-20T02:03:04.000Z' });
  await store('payment', 'foreign', aPaymentView({ order: { amount: 700 } }), 'other');
  const texts = ['Rent, named', 'INV same'];
  const credit = {
    connectionId: 'acme',
    amount: 700,
    receivedAt: AT,
    texts,
    payerAccount: '200001-12340001',
  };
  expect(await reader.candidates(credit)).toMatchObject([
    { uid: 'same', reasons: ['uid', 'reference', 'payer_account', 'amount', 'time'] },
    { uid: 'named', reasons: ['uid', 'payer_account', 'time'] },
    { kind: 'agreement', uid: 'agr-1', reasons: ['payer_account', 'amount'] },
    { uid: 'late', reasons: ['payer_account', 'amount'] },
  ]);
  expect(await reader.candidates({ ...credit, texts: [], payerAccount: undefined, amount: 3 })).toEqual([]);
});

test('a report is stored once for each version, and the newest one counts', async () => {
  const { storeReport, storedDays, firstActivity, payment, reader } = await aLedger();
  await payment('pay-1', 500, { stateSince: AT });
  expect(await firstActivity('acme')).toBe(AT);
  expect(await firstActivity('nobody')).toBeUndefined();
  const reconcile = async () =>
    reader.reconcile({ day: DAY, from: FROM, until: UNTIL, connection: 'acme', limit: 10 });
  const first = aReport('a', []);
  const later = (report: object, at: string) => ({ ...first, ...report, at });
  expect(await storeReport(first)).toBe('new');
  expect((await reconcile()).exceptions).toMatchObject([{ kind: 'missing_in_report', uid: 'pay-1' }]);
  expect(await storeReport(later({}, '2026-11-02T04:00:00.000Z'))).toBe('same');
  const corrected = aReport('b', [aRow(1, 'pay-1', 500)]);
  expect(await storeReport({ ...corrected, at: '2026-11-02T05:00:00.000Z' })).toBe('changed');
  expect(await reconcile()).toMatchObject({ exceptions: [], reports: [{ checksum: 'b', lineCount: 1 }] });
  expect(await storeReport(later({}, '2026-11-02T06:00:00.000Z'))).toBe('changed');
  expect(await reconcile()).toMatchObject({ reports: [{ checksum: 'a' }] });
  expect(await reader.settlementReport('acme', DAY)).toEqual({ content: { csv: 'csv of a' } });
  expect(await reader.settlementReport('other', DAY)).toBeUndefined();
  expect(await storedDays('acme', DAY)).toEqual([
    { day: DAY, state: 'stored', fetchedAt: '2026-11-02T06:00:00.000Z' },
  ]);
});

test('a day is compared on both sides, and nothing is counted twice', async () => {
  const { storeReport, storeEntries, payment, refund, entry, reader } = await aLedger();
  for (const uid of ['agrees', 'missing', 'differs', 'elsewhere'])
    await payment(uid, 500, { stateSince: AT });
  await payment('pending', 500, { state: 'pending' });
  await payment('yesterday', 500, { stateSince: DAY_BEFORE });
  await payment('only-float', 300, { state: 'pending' });
  await refund('ref-1', 20);
  await storeEntries(ACCOUNT, [
    entry('e1', 500, 'agrees'),
    entry('e2', 300, 'only-float'),
    entry('e3', -20, 'ref-1'),
    entry('e4', 77, 'a stranger'),
    entry('e5', 500, 'yesterday', DAY_BEFORE),
  ]);
  const rows = [
    ...[aRow(1, 'agrees', 500), aRow(2, 'agrees', 500), aRow(3, 'differs', 400), aRow(4, 'pending', 500)],
    ...[aRow(5, 'yesterday', 500), aRow(6, 'stranger', 500), aRow(7, '', 5), aRow(8, 'no-amount', undefined)],
    ...[aRow(9, 'ref-1', 20, { kind: undefined })],
  ];
  await storeReport(aReport('a', rows));
  await storeReport(aReport('b', [aRow(1, 'elsewhere', 500)], { day: '2026-11-02' }));
  const request = { day: DAY, from: FROM, until: UNTIL, connection: undefined, limit: 10 };
  const { compared, exceptions, float } = await reader.reconcile(request);
  const found = Object.fromEntries(exceptions.map(({ kind, uid, line }) => [`${kind} ${uid}`, line]));
  expect(found).toEqual({
    ...{ 'missing_in_report missing': undefined, 'amounts_differ differs': 3, 'repeated_line agrees': 2 },
    ...{ 'not_settled_here pending': 4, 'other_day yesterday': 5, 'other_day elsewhere': undefined },
    ...{ 'unknown_here stranger': 6, 'unreadable_line ': 7, 'unreadable_line no-amount': 8 },
    'only_in_float only-float': undefined,
  });
  const agreeing = compared.filter(({ comparison }) => comparison === 'agrees');
  expect(agreeing).toMatchObject([
    { resource: 'payment', count: 1, settled: { count: 1, amount: 500 }, inFloat: 1 },
    { resource: 'refund', count: 1, reported: { count: 1, amount: 20 }, inFloat: 1 },
  ]);
  expect(float).toContainEqual({ isCredit: true, isMatched: false, count: 1, amount: 77 });
  expect(float).toContainEqual({ isCredit: true, isMatched: true, count: 2, amount: 800 });
  const other = await reader.reconcile({ ...request, connection: 'other' });
  expect(other).toEqual({ reports: [], awaited: [], compared: [], exceptions: [], float: [] });
});
