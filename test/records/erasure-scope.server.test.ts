// What an erasure finds besides the resources that name the agreement, and what it only reports.
import { expect, test } from 'vitest';
import { erasePayer } from '../../records/erase.js';
import { createFloatEntries } from '../../records/float-entries.js';
import { createReader } from '../../records/read.js';
import { openEntry, openRow } from '../../records/sealed.js';
import { createSettlementReports, sealedReportId } from '../../records/settlement.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/database.js';
import { aPaymentBatch, anEntry } from '../support/a-batch.js';
import { KEYRING } from '../support/temporal.js';
import type { ErasureTarget } from '../../records/erasure-scope.js';
import type { ResourceName } from '../../domain/resources.js';

const AT = '2026-11-01T02:03:04.000Z';
const [NAME, ACCOUNT] = ['Planted Name', '200001-99990000'] as const;
const debtor = { party_name: NAME, account_identifier: { type: 'bban', value: ACCOUNT } };
const CREDIT = 'float_accounts.unmatched_credit.received/credit-9';

async function somePayers() {
  const { owner, application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const { write } = createRecords(opened);
  const put = (resource: ResourceName, uid: string, view: object, connectionId = 'acme') =>
    write({
      ...aPaymentBatch({ resource, uid, workflowId: `${resource}/${uid}`, connectionId }),
      ...{
        entries: [anEntry(1, { data: { id: 'event-1', detail: view } })],
        row: { version: 2, at: AT, view },
      },
    });
  const { storeEntries } = createFloatEntries(opened);
  const enter = (...texts: [id: string, description: string][]) =>
    storeEntries(
      { uid: 'float-1', connectionId: 'acme', isNew: true },
      texts.map(([id, description]) => ({ id, at: AT, amount: 500, balanceAfter: 500, description })),
    );
  const notices: string[] = [];
  const erase = (resource: ErasureTarget['resource'], uid: string, isApplied = true) =>
    erasePayer({
      ...{ db: owner.db, keyring: KEYRING, of: { resource, uid }, by: 'ops', reason: 'asked us', isApplied },
      ...{ onProgress: () => undefined, onNotice: (notice) => notices.push(notice) },
    });
  /** The names of everything that still has the name or the account. */
  const found = async () => {
    const reader = createReader({ db: owner.db, keyring: KEYRING });
    const has = (value: unknown) => [NAME, ACCOUNT].some((one) => JSON.stringify(value).includes(one));
    const entries = await owner.db.selectFrom('entries').selectAll().execute();
    const request = { accountUid: 'float-1', filter: {}, before: undefined, limit: 50 };
    const reports = await owner.db.selectFrom('settlement_reports').selectAll().execute();
    const rows = await Promise.all(
      [
        ...new Set(
          entries
            .filter(({ resource }) => resource !== 'settlement')
            .map(({ resource, uid }) => `${resource} ${uid}`),
        ),
      ].map(async (name) => {
        const [resource, uid] = name.split(' ') as [ResourceName, string];
        return { name, value: (await reader.row(resource, uid))?.view };
      }),
    );
    return [
      ...rows,
      ...entries.map((entry) => ({
        name: `entry of ${entry.uid}`,
        value: openEntry(KEYRING, { ...entry, workflowId: entry.workflow_id }, entry),
      })),
      ...(await reader.floatEntries(request)).map((value) => ({ name: `text of ${value.id}`, value })),
      ...reports.flatMap(({ sealed, key_id, ...of }) =>
        sealed === null || key_id === null
          ? []
          : [
              {
                name: `report ${of.checksum}`,
                value: openRow(KEYRING, 'settlement_reports', sealedReportId(of), { ...of, key_id, sealed }),
              },
            ],
      ),
    ].flatMap(({ name, value }) => (has(value) ? [name] : []));
  };
  return { opened, owner, put, enter, erase, found, notices };
}

const anAgreement = (uid: string, party: object, state = 'cancelled') => ({
  ...{ uid, state, stateSince: AT, requestedAt: AT, mandate: { debtor: party }, attention: [] },
});
const aCounterparty = (uid: string) => ({
  ...{ uid, state: 'registered', stateSince: AT },
  accounts: [{ uid: `${uid}-account`, party_name: NAME, account_identifier: debtor.account_identifier }],
});
const aFact = (over: object = {}) => ({
  ...{ uid: CREDIT, state: 'acknowledged', stateSince: AT, resourceType: 'float_account' },
  fact: { id: 'credit-9', type: 'x.y', publishedAt: AT, detail: { debtor, amount: 500 } },
  ...over,
});
const aCredit = (uid: string, over: object = {}) => ({
  ...{ uid, accountUid: 'float-1', state: 'returned', stateSince: AT, amount: 500 },
  report: { uid, payerName: NAME, payerAccount: ACCOUNT },
  ...over,
});

test('an erasure finds notifications, decided credits, entries and unreadable reports by the account of the payer', async () => {
  const { opened, put, enter, erase, found, notices } = await somePayers();
  await put('agreement', 'agr-1', anAgreement('agr-1', debtor));
  await put('notification', CREDIT, aFact());
  await put(
    'notification',
    'by/name',
    aFact({ uid: 'by/name', fact: { type: 'x.y', detail: { text: `of ${NAME}` } } }),
  );
  await put('unmatched-credit', 'credit-2', aCredit('credit-2'));
  await put(
    'unmatched-credit',
    'credit-3',
    aCredit('credit-3', { state: 'matched', resolution: { agreementUid: 'agr-2' } }),
  );
  await enter(['credit-2', `Transfer from ${NAME}`], ['e-2', '20000199990000 rent'], ['e-3', `for ${NAME}`]);
  for (const csv of [`uid;payer\npay-1;${NAME}\n`, 'uid;payer\npay-2;Another\n'])
    await createSettlementReports(opened).storeReport({
      ...{ connectionId: 'acme', day: '2026-11-01', checksum: String(csv.length), content: { csv }, at: AT },
      read: { state: 'unreadable', problem: 'unknown_columns', rows: [] },
    });
  const due = {
    agreement: 1,
    notification: 1,
    'unmatched-credit': 1,
    'float entry': 2,
    'settlement report': 1,
  };
  expect(await erase('agreement', 'agr-1', false)).toMatchObject(due);
  expect(await erase('agreement', 'agr-1')).toMatchObject(due);
  expect(notices.slice(0, 2)).toEqual([
    'notification by/name may name the payer: read it, and erase it with --notification by/name',
    'float entry float-1/e-3 may name the payer: read it, and erase it with --float-entry float-1/e-3',
  ]);
  const ofOther = ['unmatched-credit credit-3', 'entry of credit-3', 'entry of credit-3'];
  expect((await found()).toSorted()).toEqual(
    ['notification by/name', 'entry of by/name', 'entry of by/name', 'text of e-3', ...ofOther].toSorted(),
  );
  expect(await erase('notification', 'by/name')).toMatchObject({ notification: 1 });
  expect(await erase('float entry', 'float-1/e-3')).toMatchObject({ 'float entry': 1 });
  expect((await found()).toSorted()).toEqual(ofOther.toSorted());
});

test('a counterparty that the agreement names by its account is erased, unless another agreement names it', async () => {
  const { put, erase, found, notices } = await somePayers();
  const named = { payment_account_uid: 'cp-1-account' };
  await put('counterparty', 'cp-1', aCounterparty('cp-1'));
  await put('agreement', 'agr-1', anAgreement('agr-1', named));
  await put('agreement', 'agr-2', anAgreement('agr-2', named));
  await expect(erase('counterparty', 'cp-1')).rejects.toThrow('found agreement agr-1. Erase that first');
  expect(await erase('agreement', 'agr-1')).toMatchObject({ agreement: 1, counterparty: 0 });
  expect(notices).toEqual(['counterparty cp-1 stays, because agreement agr-2 uses it: erase that too']);
  expect(await erase('agreement', 'agr-2')).toMatchObject({ agreement: 1, counterparty: 1 });
  expect(notices.at(-1)).toMatch(
    /^counterparty\/cp-1 still runs in Temporal .* terminate --workflow-id counterparty\/cp-1/,
  );
  expect(await found()).toEqual([]);
});

test('an open credit or notification of the payer forbids the erasure; one of another connection is left alone', async () => {
  const { put, owner, erase, found } = await somePayers();
  await put('agreement', 'agr-1', anAgreement('agr-1', debtor));
  await put('notification', 'of/other', aFact({ uid: 'of/other', state: 'open' }), 'other');
  await put('notification', CREDIT, aFact({ state: 'open' }));
  await expect(erase('agreement', 'agr-1')).rejects.toThrow(`found notification ${CREDIT} open`);
  await owner.db
    .updateTable('notifications')
    .set({ state: 'acknowledged' })
    .where('uid', '=', CREDIT)
    .execute();
  expect(await erase('agreement', 'agr-1')).toMatchObject({ agreement: 1, notification: 1 });
  expect(await found()).toContain('notification of/other');
});
