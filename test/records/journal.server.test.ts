import { expect, test } from 'vitest';
import { createCreditEntries } from '../../records/credit-entries.js';
import { createFloatEntries } from '../../records/float-entries.js';
import { readJournal, type JournalPart } from '../../records/journal.js';
import { createReader } from '../../records/read.js';
import { createRecords } from '../../records/write.js';
import { startOfSydneyDay } from '../../domain/time/sydney.js';
import { addDays } from '../../domain/time/calendar.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import { aRefundView, anUnmatchedCreditView } from '../support/api/builders.js';
import type { ResourceName } from '../../domain/resources.js';

const ACCOUNT = { uid: 'float-1', connectionId: 'acme', isNew: true };
/** The first instant of 4 October 2026 in Sydney, a day of 23 hours, and the last ones. */
const [FIRST, LAST] = ['2026-10-03T14:00:00.000Z', '2026-10-04T12:59:59.999Z'];
const AUTUMN = '2027-04-03T13:00:00.000Z';

async function aWorld() {
  const { application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const records = createRecords(opened);
  const store = (resource: ResourceName, uid: string, view: object) =>
    records.write({
      ...aPaymentBatch({ resource, uid, workflowId: `${resource}/${uid}`, entries: [] }),
      row: { version: 1, at: FIRST, view },
    });
  await store(
    'payment',
    'pay-1',
    aPaymentView({ stateSince: FIRST, order: { agreement_uid: 'a', amount: 500 } }),
  );
  await store('refund', 'ref-1', {
    ...aRefundView({ uid: 'ref-1', state: 'processed', stateSince: LAST }),
    order: { original_payment_uid: 'pay-1', refund_payment: { type: 'float_bank_payment', amount: 20 } },
  });
  const resolution = { decision: 'kept' as const, by: 'x', reason: 'x', at: AUTUMN };
  const decided = {
    uid: 'free',
    accountUid: 'float-1',
    state: 'kept',
    stateSince: AUTUMN,
    resolution,
  } as const;
  await store('unmatched-credit', 'free', anUnmatchedCreditView(decided));
  const entry = (id: string, at: string, amount: number, balanceAfter: number, description: string) => ({
    ...{ id, at, amount, balanceAfter, description },
  });
  await createFloatEntries(opened).storeEntries(ACCOUNT, [
    entry('e-1', FIRST, 500, 1500, 'pay-1'),
    entry('e-2', '2026-10-03T20:00:00.000Z', 70, 1570, 'x'),
    entry('free', '2026-10-04T01:00:00.000Z', 30, 1600, 'x'),
    entry('e-3', LAST, -20, 1580, 'ref-1'),
    entry('e-4', AUTUMN, -5, 1595, 'after a gap of 20'),
  ]);
  return { opened, reader: createReader(opened), store, entry };
}

async function read(opened: Awaited<ReturnType<typeof aWorld>>['opened'], from: string, until: string) {
  const parts: JournalPart[] = [];
  for await (const part of readJournal(opened, { from, until, connection: 'acme' })) parts.push(part);
  return {
    lines: parts.flatMap(({ postings }) => postings),
    totals: parts.flatMap((part) => part.totals),
    balances: parts.flatMap((part) => part.balances),
  };
}

test('each cent is posted once on its day, and the float account closes as its statement', async () => {
  const { opened, reader } = await aWorld();
  const { lines, balances, totals } = await read(opened, '2026-10-03', '2027-04-04');
  expect(lines.map(({ day, kind, debit, credit, amount }) => [day, kind, debit, credit, amount])).toEqual([
    ['2026-10-04', 'settled', 'float/float-1', 'clearing', 500],
    ['2026-10-04', 'settled', 'clearing', 'collections', 500],
    ['2026-10-04', 'other', 'float/float-1', 'unexplained', 70],
    ['2026-10-04', 'unmatched_credit', 'float/float-1', 'suspense', 30],
    ['2026-10-04', 'refunded', 'clearing', 'float/float-1', 20],
    ['2026-10-04', 'refunded', 'refunds', 'clearing', 20],
    ['2026-10-04', 'opening', 'float/float-1', 'opening_balance', 1000],
    ['2027-04-04', 'unmatched_credit', 'suspense', 'kept', 30],
    ['2027-04-04', 'other', 'unexplained', 'float/float-1', 5],
    ['2027-04-04', 'chain_difference', 'float/float-1', 'unexplained', 20],
  ]);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  for (const { day, closing } of balances) {
    const of = { from: startOfSydneyDay(day), until: startOfSydneyDay(addDays(day, 1)) };
    const upTo = lines.filter((line) => line.day <= day);
    const net = (side: 'debit' | 'credit') =>
      upTo.filter((line) => line[side] === 'float/float-1').reduce((total, { amount }) => total + amount, 0);
    expect(closing, day).toBe((await reader.statement('float-1', of)).closing);
    expect(net('debit') - net('credit'), day).toBe(closing);
  }
  const ofDay = totals.filter(({ day }) => day === '2026-10-04');
  expect(ofDay.map(({ account, debit, credit }) => [account, debit, credit])).toEqual([
    ['clearing', 520, 520],
    ['collections', 0, 500],
    ['float/float-1', 1600, 20],
    ['opening_balance', 0, 1000],
    ['refunds', 20, 0],
    ['suspense', 0, 30],
    ['unexplained', 0, 70],
  ]);
});

test('a fee, money that is taken back, and the debit of a returned credit have their own accounts', async () => {
  const { opened, store, entry } = await aWorld();
  const at = (minute: number) => `2026-10-05T01:0${minute}:00.000Z`;
  const { storeEntries, matchEntries, markRead } = createFloatEntries(opened);
  const sentBack = anUnmatchedCreditView({
    ...{ uid: 'sent-back', accountUid: 'float-1', state: 'returned', stateSince: at(4) },
    resolution: { decision: 'returned' as const, by: 'x', reason: 'x', at: at(4) },
  });
  await store('unmatched-credit', 'sent-back', sentBack);
  await storeEntries(ACCOUNT, [
    entry('f-1', at(1), -9, 1571, 'Monthly account fee'),
    entry('f-2', at(2), -500, 1071, 'Reversal of pay-1'),
    entry('sent-back', at(3), 40, 1111, 'x'),
    entry('f-3', at(5), -40, 1071, 'Transfer out'),
  ]);
  expect(await matchEntries(ACCOUNT)).toBe(1);
  await markRead('float-1', { at: '2026-10-05T14:00:00.000Z', isFar: false });
  const { lines, balances, totals } = await read(opened, '2026-10-05', '2026-10-06');
  expect(lines.map(({ kind, debit, credit, amount }) => [kind, debit, credit, amount])).toEqual([
    ['fee', 'fees', 'float/float-1', 9],
    ['failed_after_settlement', 'collections', 'float/float-1', 500],
    ['unmatched_credit', 'float/float-1', 'suspense', 40],
    ['returned', 'suspense', 'returned', 40],
    ['returned', 'returned', 'float/float-1', 40],
  ]);
  expect(lines.at(-1)).toMatchObject({ caseUid: 'sent-back', floatEntryId: 'f-3' });
  expect(totals.find(({ account }) => account === 'returned')).toMatchObject({ debit: 40, credit: 40 });
  expect(balances.map(({ isComplete }) => isComplete)).toEqual([true, false]);
});

test('all parts are of one moment, and a reader that leaves gives its connection back', async () => {
  const { opened, entry } = await aWorld();
  const parts = readJournal(opened, { from: '2026-10-04', until: '2026-10-06', connection: 'acme' });
  await parts.next();
  await createFloatEntries(opened).storeEntries(ACCOUNT, [
    entry('later', '2026-10-05T01:00:00.000Z', 5, 1585, 'x'),
  ]);
  const rest: JournalPart[] = [];
  for await (const part of parts) rest.push(part);
  expect(rest.flatMap(({ postings }) => postings).map(({ floatEntryId }) => floatEntryId)).not.toContain(
    'later',
  );
  for (let reader = 0; reader < 12; reader += 1) {
    const one = readJournal(opened, { from: '2026-10-04', until: '2026-10-06', connection: 'acme' });
    await one.next();
    await one.return(undefined);
  }
});

test('a day opens at the balance that the day before left, also if its last entries cancel each other', async () => {
  const { opened, reader, entry } = await aWorld();
  const at = '2026-10-05T02:00:00.000Z';
  await createFloatEntries(opened).storeEntries(ACCOUNT, [
    entry('z', at, 5, 1585, 'x'),
    entry('a', at, -5, 1580, 'x'),
  ]);
  const { balances } = await read(opened, '2026-10-05', '2026-10-06');
  expect(balances.map(({ closing }) => closing)).toEqual([1580, 1580]);
  const next = { from: startOfSydneyDay('2026-10-06'), until: startOfSydneyDay('2026-10-07') };
  expect(await reader.statement('float-1', next)).toMatchObject({ opening: 1580, closing: 1580, breaks: [] });
});

test('an account whose first entries cancel each other opens where later ones show it', async () => {
  const { opened, entry } = await aWorld();
  const at = '2026-10-08T02:00:00.000Z';
  await createFloatEntries(opened).storeEntries({ ...ACCOUNT, uid: 'float-2' }, [
    entry('up', at, 5, 105, 'x'),
    entry('down', at, -5, 100, 'x'),
    entry('next', '2026-10-08T03:00:00.000Z', 10, 115, 'x'),
  ]);
  const { lines, balances } = await read(opened, '2026-10-08', '2026-10-08');
  const of2 = lines.filter(({ accountUid }) => accountUid === 'float-2');
  const net = of2.reduce((sum, { debit, amount }) => sum + (debit === 'float/float-2' ? amount : -amount), 0);
  expect([net, balances.find(({ accountUid }) => accountUid === 'float-2')?.closing]).toEqual([115, 115]);
});

test('an entry that a case claims belongs to no payment, whose own credit is then matched', async () => {
  const { opened, entry } = await aWorld();
  const { storeEntries, matchEntries } = createFloatEntries(opened);
  expect(await createCreditEntries(opened).claimEntry('float-1', 'e-1', 'stranger')).toBe('stranger');
  await storeEntries(ACCOUNT, [entry('own', '2026-10-05T02:00:00.000Z', 500, 2080, 'pay-1')]);
  await matchEntries(ACCOUNT);
  const { lines } = await read(opened, '2026-10-04', '2026-10-05');
  const credited = lines.filter(({ id, paymentUid }) => id.startsWith('float/') && paymentUid === 'pay-1');
  expect(credited.map(({ floatEntryId }) => floatEntryId)).toEqual(['own']);
});
