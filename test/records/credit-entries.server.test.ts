import { expect, test } from 'vitest';
import { newCase, applyConfirmation, applyResolution } from '../../workflows/unmatched-credit/state.js';
import { viewOf } from '../../workflows/unmatched-credit/view.js';
import { createCreditEntries, type ComparedCase } from '../../records/credit-entries.js';
import { createFloatEntries } from '../../records/float-entries.js';
import { createReader } from '../../records/read.js';
import { createRecords } from '../../records/write.js';
import { creditIn, type CreditEntry, type CreditResolution } from '../../domain/float/credit.js';
import { aPaymentBatch } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { A_CREDIT } from '../support/api/builders.js';
import { KEYRING } from '../support/temporal.js';

const AT = '2026-10-01T01:00:00.000Z';
const ACCOUNT = { uid: 'float-1', connectionId: 'acme', isNew: true };
const ALWAYS = { from: '2020-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' };
const KEPT: CreditResolution = { decision: 'kept', reason: 'ours', by: 'ops' };
const REPORT = creditIn(A_CREDIT);
if (REPORT === undefined) throw new Error('expected a credit');

async function anAccountWith(...entries: [id: string, description: string, amount?: number, at?: string][]) {
  const { application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const floatEntries = createFloatEntries(opened);
  const given = entries.map(([id, description, amount = 700, at = AT]) => ({
    ...{ id, at, amount, balanceAfter: 0, description },
  }));
  await floatEntries.storeEntries(ACCOUNT, given);
  const reader = createReader(opened);
  return {
    ...createCreditEntries(opened),
    withoutCase: async () => (await floatEntries.creditsWithoutCase('float-1', ALWAYS)).toSorted(),
    caseStates: async () => {
      const request = { accountUid: 'float-1', filter: {}, before: undefined, limit: 9 };
      const found = await reader.floatEntries(request);
      return found.map(({ id, caseUid, caseState }) => [id, caseUid, caseState]);
    },
    open: (uid: string, isReported: boolean, entry?: CreditEntry, decision?: CreditResolution) => {
      const started = newCase({ uid, accountUid: 'float-1', fact: isReported ? A_CREDIT : undefined }, AT);
      const found = entry && { entry, connectionId: 'acme' };
      const confirmed = found ? applyConfirmation(started, { found, decideWithinMs: 1 }, AT) : started;
      const view = viewOf(decision ? applyResolution(confirmed, decision, AT) : confirmed);
      return createRecords(opened).write({
        ...aPaymentBatch({
          resource: 'unmatched-credit',
          uid,
          workflowId: `unmatched-credit/${uid}`,
          entries: [],
        }),
        row: { version: 1, at: AT, view },
      });
    },
    duplicates: async (uid: string, over: Partial<ComparedCase> = {}) => {
      const compared = { uid, accountUid: 'float-1', amount: 700, receivedAt: AT, entryId: undefined };
      const found = await reader.duplicates({ ...compared, texts: REPORT ?? {}, ...over });
      return found.map((one) => `${one.kind} ${one.uid}`);
    },
  };
}

test('an entry belongs to the first case that takes it, and starts no second one', async () => {
  const { claimEntry, entryOfCase, withoutCase, caseStates, open } = await anAccountWith(
    ['e-1', 'INV-7'],
    ['e-2', 'x'],
  );
  expect(await claimEntry('float-1', 'e-1', 'n-1')).toBe('n-1');
  expect(await claimEntry('float-1', 'e-1', 'e-1')).toBe('n-1');
  expect(await claimEntry('float-1', 'none', 'n-1')).toBeUndefined();
  expect(await entryOfCase('float-1', 'n-1')).toMatchObject({ id: 'e-1', connectionId: 'acme' });
  expect(await withoutCase()).toEqual(['e-2']);
  await open('n-1', true, { id: 'e-1', amount: 700, at: AT, balanceAfter: 0 });
  expect(await caseStates()).toEqual([
    ['e-2', undefined, undefined],
    ['e-1', 'n-1', 'open'],
  ]);
});

test('of cases that claim one entry at the same time exactly one gets it, and the others learn which', async () => {
  const { claimEntry, entryOfCase } = await anAccountWith(['e-1', 'INV-7']);
  const cases = ['e-1', ...Array.from({ length: 7 }, (_, index) => `n-${index}`)];
  const owners = new Set(await Promise.all(cases.map((uid) => claimEntry('float-1', 'e-1', uid))));
  expect(owners.size).toBe(1);
  const own = await Promise.all(cases.map((uid) => entryOfCase('float-1', uid)));
  expect(cases.filter((_, index) => own[index] !== undefined)).toEqual([...owners]);
});

test('similar entries are those of the amount and the day, and a case with a notification has taken its entry', async () => {
  const account = await anAccountWith(
    ...(
      [
        ['free', 'inv 7'],
        ['by-entry', 'INV-7'],
        ['decided', 'INV-7'],
        ['reported', 'INV-7'],
        ['other', 'INV-7', 701],
      ] as const
    ).map((one) => [...one] as [string, string, number?]),
    ['old', 'INV-7', 700, '2026-09-29T01:00:00.000Z'],
  );
  await account.open('by-entry', false);
  await account.open('decided', false, undefined, KEPT);
  await account.open('reported', true);
  const similar = await account.similarEntries(REPORT);
  const found = similar.map(({ id, caseUid, isTaken, isDecided }) => [id, [caseUid, isTaken, isDecided]]);
  expect(Object.fromEntries(found)).toEqual({
    free: [undefined, false, false],
    'by-entry': ['by-entry', false, false],
    decided: ['decided', false, true],
    reported: ['reported', true, false],
  });
  expect(similar.find(({ id }) => id === 'free')?.description).toBe('inv 7');
});

test('cases and entries of one content are possible duplicates of each other, and two entries never are', async () => {
  const account = await anAccountWith(['e-1', 'INV-7'], ['e-2', 'inv 0007'], ['e-3', 'Rent of Peter']);
  await account.open('n-1', true);
  await account.claimEntry('float-1', 'e-1', 'e-1');
  const entry = { id: 'e-1', amount: 700, at: AT, balanceAfter: 0 };
  await account.open('e-1', false, entry);
  expect(await account.duplicates('n-1')).toEqual(['entry e-2', 'case e-1']);
  expect(await account.duplicates('e-1', { entryId: 'e-1', texts: {} })).toEqual(['case n-1']);
  await account.open('n-2', true, { ...entry, id: 'e-2' });
  expect(await account.duplicates('e-1', { entryId: 'e-1', texts: {} })).toEqual(['case n-1']);
});
