import { expect, test } from 'vitest';
import { createFloatEntries } from '../../records/float-entries.js';
import { createReader } from '../../records/read.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';

const AT = '2026-11-01T02:03:04.000Z';
const ACCOUNT = { uid: 'float-1', connectionId: 'acme', isNew: true };

async function aLedger() {
  const { owner, application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const records = createRecords(opened);
  return {
    owner,
    ...createFloatEntries(opened),
    reader: createReader(opened),
    payment: (uid: string, amount: number) =>
      records.write({
        ...aPaymentBatch({ resource: 'payment', uid, workflowId: `payment/${uid}`, entries: [] }),
        row: {
          ...{ version: 1, at: AT },
          view: aPaymentView({ requestedAt: AT, order: { agreement_uid: 'agr-1', amount } }),
        },
      }),
  };
}

const entry = (id: string, amount: number, description: string, at = AT) => ({
  ...{ id, at, amount, balanceAfter: 0, description },
});

test('entries of many accounts that name one payment at once are all stored, and one of them is matched', async () => {
  const { owner, storeEntries, payment } = await aLedger();
  await payment('pay-1', 500);
  const uids = Array.from({ length: 12 }, (_, n) => `float-${n}`);
  const counts = await Promise.all(
    uids.map((uid) => storeEntries({ ...ACCOUNT, uid }, [entry('e-1', 500, 'PayTo payment pay-1')])),
  );
  expect(counts).toEqual(uids.map(() => 1));
  const stored = await owner.db.selectFrom('float_entries').select('payment_uid').execute();
  expect(stored).toHaveLength(12);
  expect(stored.filter(({ payment_uid }) => payment_uid === 'pay-1')).toHaveLength(1);
});

test('an entry is matched once its payment is stored: of the first reading, behind 1,000 others, and at once with another one', async () => {
  const { storeEntries, matchEntries, payment, reader } = await aLedger();
  const others = Array.from({ length: 1_001 }, (_, n) => entry(`other-${n}`, 500, 'Rent'));
  const old = entry('z-old', 500, 'PayTo payment pay-1');
  await storeEntries({ ...ACCOUNT, isNew: false }, [...others, old, entry('z-old-2', 500, 'pay-1')]);
  expect(await storeEntries(ACCOUNT, [old])).toBe(0);
  expect(await matchEntries(ACCOUNT)).toBe(0);
  await payment('pay-1', 500);
  const matched = await Promise.all([matchEntries(ACCOUNT), matchEntries(ACCOUNT)]);
  expect(matched.toSorted()).toEqual([0, 1]);
  const request = { accountUid: 'float-1', filter: { isMatched: true }, before: undefined, limit: 5 };
  expect(await reader.floatEntries(request)).toMatchObject([{ id: 'z-old', paymentUid: 'pay-1' }]);
});

test('an entry is not matched with a payment that was requested more than a day later', async () => {
  const { storeEntries, matchEntries, payment } = await aLedger();
  await storeEntries(ACCOUNT, [entry('e-1', 500, 'pay-1', '2026-10-31T02:03:03.000Z')]);
  await payment('pay-1', 500);
  expect(await matchEntries(ACCOUNT)).toBe(0);
});

test('credits whose ids are no uids do not hide the others', async () => {
  const { storeEntries, creditsWithoutCase } = await aLedger();
  const odd = Array.from({ length: 501 }, (_, n) => entry(`not a uid ${n}`, 5, 'x'));
  await storeEntries(ACCOUNT, odd);
  await storeEntries(ACCOUNT, [entry('credit-1', 5, 'x')]);
  const stored = { from: '2020-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' };
  expect(await creditsWithoutCase('float-1', stored)).toEqual(['credit-1']);
});

test('a statement has the start of the newest reading that succeeded', async () => {
  const { markRead, reader, storeEntries, lastInstantBefore } = await aLedger();
  const day = { from: '2026-10-31T13:00:00.000Z', until: '2026-11-01T13:00:00.000Z' };
  expect((await reader.statement('float-1', day)).readAt).toBeUndefined();
  await markRead('float-1', { at: '2026-11-02T00:00:00.000Z', isFar: false });
  await markRead('float-1', { at: '2026-11-01T00:00:00.000Z', isFar: true });
  expect((await reader.statement('float-1', day)).readAt).toBe('2026-11-02T00:00:00.000Z');
  await storeEntries(ACCOUNT, [entry('e-1', 5, 'x')]);
  expect(await lastInstantBefore('float-1', day.until)).toBe(AT);
  expect(await lastInstantBefore('float-1', AT)).toBeUndefined();
});
