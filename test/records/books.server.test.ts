import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { COMPARISONS } from '../../domain/settlement/reconciliation.js';
import { addDays } from '../../domain/time/calendar.js';
import { startOfSydneyDay } from '../../domain/time/sydney.js';
import { readStatement } from '../../records/float-entries.js';
import { readJournal, type JournalBalance, type JournalPart, type Posting } from '../../records/journal.js';
import { reconcileDay } from '../../records/reconcile.js';
import { MONDAYS, aWeek, type Listed, type Week } from '../support/books/a-week.js';
import { storeWeek, type Books } from '../support/books/stored-week.js';
import { opened } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { Opened } from '../../records/database.js';

const WEEKS = 5;

interface Journal {
  postings: Posting[];
  balances: JournalBalance[];
}

async function journalOf(records: Opened, { days }: Week, connection: string): Promise<Journal> {
  const parts: JournalPart[] = [];
  // The decisions may be taken on the last day, and none later.
  const request = { from: days[0] ?? '', until: days.at(-1) ?? '', connection };
  for await (const part of readJournal(records, request)) parts.push(part);
  return {
    postings: parts.flatMap(({ postings }) => postings),
    balances: parts.flatMap(({ balances }) => balances),
  };
}

const span = (day: string) => ({ from: startOfSydneyDay(day), until: startOfSydneyDay(addDays(day, 1)) });
const listedOf = ({ entries }: Week): Listed[] => entries.filter(({ delivery }) => delivery !== 'lost');
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What the postings leave on a ledger account. */
const netOf = (postings: Posting[], ledger: string): number =>
  sum(
    postings.map(({ debit, credit, amount }) =>
      debit === credit ? 0 : debit === ledger ? amount : credit === ledger ? -amount : 0,
    ),
  );

/** The ids of everything that must have exactly one posting, with its day and amount. */
function expectedPostings(week: Week, { accountUid }: Books): string[] {
  const dayOf = (at: string) => week.days.findLast((day) => at >= startOfSydneyDay(day)) ?? '';
  const listed = listedOf(week).map(
    ({ id, day, amount }) => `float/${accountUid}/${id} ${week.days[day] ?? ''} ${Math.abs(amount)}`,
  );
  const settled = week.money
    .filter(({ isSettled, isForeign }) => isSettled && !isForeign)
    .map(({ uid, resource, amount, at }) => {
      const name = resource === 'payment' ? 'settled' : 'refunded';
      return `${name}/${uid} ${dayOf(at)} ${amount}`;
    });
  const decided = week.cases
    .filter(({ decision }) => decision !== 'open')
    .map(({ entryId, at, amount }) => `decided/${accountUid}/${entryId} ${dayOf(at)} ${amount}`);
  return [...listed, ...settled, ...decided].toSorted();
}

/** What a payment or refund leaves in clearing: it settled here, and its money is not in the float account, or the reverse. */
function inClearing({ money, entries }: Week): Map<string, number> {
  const left = money
    .filter(({ isForeign }) => !isForeign)
    .map(({ uid, resource, amount, isSettled }): [string, number] => {
      const here = isSettled ? (resource === 'payment' ? amount : -amount) : 0;
      return [uid, here - sum(entries.filter(({ clears }) => clears === uid).map((entry) => entry.amount))];
    });
  return new Map(left.filter(([, cents]) => cents !== 0));
}

function checkPostings({ postings }: Journal, week: Week, books: Books): void {
  const isOfChain = ({ kind }: Posting) => kind === 'opening' || kind === 'chain_difference';
  const posted = postings
    .filter((one) => !isOfChain(one))
    .map(({ id, day, amount }) => `${id} ${day} ${amount}`);
  expect(posted.toSorted()).toEqual(expectedPostings(week, books));
  for (const day of week.days) {
    const ofDay = postings.filter((one) => one.day === day);
    const ledgers = new Set(ofDay.flatMap(({ debit, credit }) => [debit, credit]));
    expect(sum([...ledgers].map((ledger) => netOf(ofDay, ledger)))).toBe(0);
  }
  const ofUid = (uid: string) =>
    postings.filter(({ paymentUid, refundUid }) => (refundUid ?? paymentUid ?? '') === uid);
  const uids = postings.flatMap(({ paymentUid, refundUid }) => refundUid ?? paymentUid ?? []);
  const cleared = uids.map((uid): [string, number] => [uid, netOf(ofUid(uid), 'clearing')]);
  expect(new Map(cleared.filter(([, cents]) => cents !== 0))).toEqual(inClearing(week));
  const open = week.cases.filter(({ decision }) => decision === 'open');
  expect(netOf(postings, 'suspense') + sum(open.map(({ amount }) => amount))).toBe(0);
}

/** The balance after the last entry before that time. */
const balanceAt = (week: Week, until: string): number =>
  listedOf(week).findLast(({ at }) => at < until)?.balanceAfter ?? 0;

async function checkBalances(
  records: Opened,
  { postings, balances }: Journal,
  week: Week,
  { accountUid }: Books,
) {
  const lost = week.entries.find(({ delivery }) => delivery === 'lost');
  const after = week.entries[week.entries.findIndex(({ id }) => id === lost?.id) + 1];
  const breaks: string[] = [];
  for (const day of week.days) {
    const { from, until } = span(day);
    const statement = await readStatement(records, accountUid, { from, until });
    const upTo = postings.filter((one) => one.day <= day);
    const closing = balanceAt(week, until);
    expect(statement.closing ?? 0, day).toBe(closing);
    expect(netOf(upTo, `float/${accountUid}`), day).toBe(closing);
    expect(balances.find((one) => one.day === day)?.closing ?? 0, day).toBe(closing);
    breaks.push(...statement.breaks.map(({ afterId, expected, found }) => `${afterId} ${found - expected}`));
  }
  const expected = lost === undefined ? [] : [`${after?.id ?? ''} ${lost.amount}`];
  expect(breaks).toEqual(expected);
  const differences = postings.filter(({ kind }) => kind === 'chain_difference');
  expect(
    differences.map((one) => `${one.floatEntryId ?? ''} ${netOf([one], `float/${accountUid}`)}`),
  ).toEqual(expected);
}

async function checkExceptions(records: Opened, week: Week, { connectionId }: Books): Promise<void> {
  for (const [index, day] of week.days.entries()) {
    const request = { day, ...span(day), connection: connectionId, limit: 100 };
    const { exceptions } = await reconcileDay(records.db, request);
    const found = exceptions.map(({ kind, uid }) => `${kind} ${uid}`).toSorted();
    expect(found, day).toEqual(week.planted[index]?.toSorted());
  }
}

test.each(MONDAYS)(
  'in random weeks from %s every cent is in one place of the journal, and each planted error is an exception with its name',
  async (monday) => {
    const records = { db: opened(inject('recordsUrl')).db, keyring: KEYRING };
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (gen) => {
        const name = `w${randomUUID().slice(0, 13)}`;
        const week = aWeek((most) => gen(fc.nat, { max: most }), name, monday);
        const books = {
          ...{ connectionId: `${name}-own`, otherConnectionId: `${name}-other`, accountUid: `${name}-float` },
        };
        await storeWeek(records, books, week);
        const journal = await journalOf(records, week, books.connectionId);
        checkPostings(journal, week, books);
        await checkBalances(records, journal, week, books);
        await checkExceptions(records, week, books);
        for (const planted of week.planted.flat()) kinds.add(planted.split(' ')[0] ?? '');
      }),
      { numRuns: WEEKS, endOnFailure: true },
    );
    const exceptions = COMPARISONS.filter((one) => one !== 'agrees' && one !== 'unreported');
    expect([...kinds].toSorted()).toEqual(exceptions.toSorted());
  },
);
