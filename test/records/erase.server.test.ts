import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { agreementAnswer } from '../../api/routes/agreement/answer.schema.js';
import { paymentAnswer } from '../../api/routes/payment/answer.schema.js';
import { refundAnswer } from '../../api/routes/refund/answer.schema.js';
import { withoutPersonalData } from '../../domain/records/erasure.js';
import { erasePayer } from '../../records/erase.js';
import { rebuildRows } from '../../records/rebuild.js';
import { refill } from '../../records/refill.js';
import { createFloatEntries } from '../../records/float-entries.js';
import { createSettlementReports } from '../../records/settlement.js';
import { createReader } from '../../records/read.js';
import { openEntry } from '../../records/sealed.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/database.js';
import { aWebhookDelivery } from '../support/webhooks.js';
import { aPaymentBatch, anEntry } from '../support/a-batch.js';
import { KEYRING } from '../support/temporal.js';
import {
  aMandate,
  aPaymentView,
  aRefundView,
  anAgreementView,
  anUnmatchedCreditView,
} from '../support/api/builders.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import type { PaymentView } from '../../workflows/payment/contract.js';
import type { RefundView } from '../../workflows/refund/contract.js';
import type { RecordBatch } from '../../domain/records/batch.js';
import type { ResourceName } from '../../domain/resources.js';

const UI = { url: undefined, namespace: 'default' };
const PLANTED = ['Planted Name', '200001-99990000', 'planted@example.com', 'Planted text'];
const [NAME, ACCOUNT, EMAIL, TEXT] = PLANTED as [string, string, string, string];
const PARTS = { agreement: { uid: 'agr-1' }, counterparty: { uid: 'cp-1' } };
const OTHER_PARTS = { agreement: { uid: 'agr-2' }, counterparty: { uid: 'cp-other' } };
const OTHERS = ['cp-other', 'onb-2'];
const AT = '2026-11-01T02:03:04.000Z';

async function aPayer(state: 'cancelled' | 'active' = 'cancelled') {
  const { owner, application } = await aDatabase();
  const records = createRecords({ db: application.db, keyring: KEYRING });
  const debtor = { party_name: NAME, account_identifier: { type: 'email', value: EMAIL } };
  const mandate = {
    ...aMandate(),
    description: TEXT,
    debtor,
    metadata: { name: NAME },
    later: { bban: ACCOUNT },
  };
  const order = {
    priority: 'unattended',
    agreement_uid: 'agr-1',
    amount: 4200,
    reference: TEXT,
    description: NAME,
    metadata: { ACCOUNT },
  };
  const views = [
    ['agreement', anAgreementView({ uid: 'agr-1', state, mandate, requestedMandate: mandate })],
    ['payment', aPaymentView({ uid: 'pay-1', state: 'settled', order, debtor, stateSince: AT })],
    [
      'refund',
      {
        ...aRefundView({ uid: 'ref-1', state: 'processed' }),
        order: {
          original_payment_uid: 'pay-1',
          refund_payment: { type: 'pay_to_payment', amount: 5, description: TEXT },
        },
      } as RefundView,
    ],
    [
      'onboarding',
      { ...{ uid: 'onb-1', state: 'done' }, parts: PARTS, debtor, requested: { contact: { phone: EMAIL } } },
    ],
    ['counterparty', { uid: 'cp-1', accounts: [{ uid: 'acc-1', bban: ACCOUNT }], name: NAME }],
    ['counterparty', { uid: 'cp-other', name: 'Another Name' }],
    ['onboarding', { ...{ uid: 'onb-2', state: 'running' }, parts: OTHER_PARTS }],
  ] as [ResourceName, { uid: string }][];
  const batches: RecordBatch[] = [];
  for (const [resource, view] of views) {
    const detail = { payid: EMAIL, account: ACCOUNT, amount: 4200 };
    const data = { id: 'event-1', type: 'settled', command: 'suspend', onMissed: 'skip', detail };
    const row = { version: 2, at: AT, view };
    const of = { resource, uid: view.uid, workflowId: `${resource}/${view.uid}`, row };
    const batch = aPaymentBatch({ ...of, entries: OTHERS.includes(view.uid) ? [] : [anEntry(1, { data })] });
    batches.push(batch);
    await records.write(batch);
  }
  const erase = (isApplied: boolean) =>
    erasePayer({
      ...{ db: owner.db, keyring: KEYRING, of: { resource: 'agreement', uid: 'agr-1' } },
      ...{ by: 'ops', reason: 'asked us' },
      ...{ isApplied, onProgress: () => undefined },
    });
  const everything = async () => {
    const rows = await owner.db.selectFrom('entries').selectAll().execute();
    const opened = rows.map(({ workflow_id: workflowId, ...entry }) =>
      openEntry(KEYRING, { ...entry, workflowId }, entry),
    );
    const { rows: tags } = await sql`select search_tags from payments where search_tags <> '{}'`.execute(
      owner.db,
    );
    const { row } = createReader({ db: owner.db, keyring: KEYRING });
    const stored = [
      await row('agreement', 'agr-1'),
      await row('payment', 'pay-1'),
      await row('refund', 'ref-1'),
      await row('counterparty', 'cp-1'),
      await row('counterparty', 'cp-other'),
    ];
    return { text: JSON.stringify([opened, stored]), views: stored.map((one) => one?.view), tags };
  };
  return { owner, batches, erase, everything };
}

test('erasure removes every name, account and text, keeps amounts and ids, and states who and why', async () => {
  const { owner, batches, erase, everything } = await aPayer();
  const before = await everything();
  for (const planted of PLANTED) expect(before.text).toContain(planted);
  const expected = { agreement: 1, payment: 1, refund: 1, onboarding: 1, counterparty: 1, entry: 9 };
  expect(await erase(false)).toMatchObject(expected);
  expect(await everything()).toEqual(before);
  expect(await erase(true)).toMatchObject(expected);
  const { text, views, tags } = await everything();
  for (const planted of PLANTED) expect(text).not.toContain(planted);
  expect(tags).toEqual([]);
  const [agreement, payment, refund] = views as [AgreementView, PaymentView, RefundView];
  expect(agreementAnswer(UI, agreement)).toMatchObject({ uid: 'agr-1', state: 'cancelled' });
  expect(paymentAnswer(UI, payment)).toMatchObject({ amount: 4200, state_since: AT, agreement_uid: 'agr-1' });
  expect(refundAnswer(UI, refund)).toMatchObject({ uid: 'ref-1', state: 'processed' });
  expect(text).toContain('"command":"suspend","onMissed":"skip"');
  expect(text).toContain('Another Name');
  expect(text.split('"by":"ops","reason":"asked us"')).toHaveLength(6);
  const nothing = { agreement: 0, payment: 0, refund: 0, onboarding: 0, counterparty: 0, entry: 0 };
  expect(await erase(true)).toMatchObject(nothing);

  await owner.db.deleteFrom('payments').execute();
  const { db } = owner;
  const back = { db, keyring: KEYRING, isApplied: true, onProgress: () => undefined };
  expect(await rebuildRows(back)).toMatchObject({ rows: 1 });
  const [batch] = batches;
  if (batch === undefined) throw new Error('expected a batch');
  const lost = { ...batch, row: { ...batch.row, version: 2 ** 53 - 1 } };
  expect(await refill({ ...back, batches: Readable.from([lost]) })).toMatchObject({ erased: 1, rows: 0 });
  const again = await everything();
  expect(again.views).toEqual(views);
  for (const planted of PLANTED) expect(again.text).not.toContain(planted);
});

test('erasure is refused while something has not ended, or without such an agreement', async () => {
  const { owner, erase } = await aPayer('active');
  await expect(erase(true)).rejects.toThrow('found agreement agr-1 active. Cancel the agreement first');
  await owner.db.deleteFrom('agreements').execute();
  await expect(erase(true)).rejects.toThrow('found none with agr-1');
});

test('a field that is not in the list, or has another form than expected, is erased', () => {
  const texts = {
    ...{ date_of_birth: '1990-01-02', dob: '1990-01-02', birth_date: '1990-01-02', new_field: 'x' },
    ...{ pay_id: '0412345678', payId: 'a', alias_id: 'b', requester_id: 'c', status: 'Smith, dead' },
    ...{ state: 'Mary Smith', uid: 'a b', settled_at: 'never' },
  };
  const personal = {
    requester: { id: 'mary', remote_ip: '203.0.113.9', at: AT, count: 3 },
    debtor: { account_identifier: { type: 'bban', value: 20_000_112_340_001 }, uid: 'mary' },
  };
  const kept = {
    settled_at: AT,
    amount: 5,
    max_amount: { value: 7 },
    uid: 'agr-1',
    isOpen: true,
    gone: null,
  };
  const numbers = { account_number: 12_345_678, new_number: 7, account_identifier: { value: 5 } };
  expect(withoutPersonalData({ ...texts, ...personal, ...kept, ...numbers })).toEqual({
    ...Object.fromEntries(Object.keys(texts).map((name) => [name, '[erased]'])),
    requester: { id: '[erased]', remote_ip: '[erased]', at: '[erased]', count: null },
    debtor: { account_identifier: { type: 'bban', value: null }, uid: '[erased]' },
    ...kept,
    ...{ account_number: null, new_number: null, account_identifier: { value: null } },
  });
});

test('the erasure covers credits of the payer, texts of float entries, and the bytes of reports', async () => {
  const { owner, application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const store = (resource: ResourceName, uid: string, view: object) =>
    createRecords(opened).write({
      ...aPaymentBatch({ resource, uid, workflowId: `${resource}/${uid}` }),
      ...{ entries: [], row: { version: 1, at: AT, view } },
    });
  await store('agreement', 'agr-1', anAgreementView({ uid: 'agr-1', state: 'cancelled' }));
  await store('payment', 'pay-1', { state: 'settled', order: { agreement_uid: 'agr-1', amount: 500 } });
  const resolution = { decision: 'matched', paymentUid: 'pay-1', reason: TEXT, by: 'ops', at: AT } as const;
  const credit = anUnmatchedCreditView({ uid: 'credit-1', state: 'matched', resolution });
  await store('unmatched-credit', 'credit-1', credit);
  await store('unmatched-credit', 'credit-2', {
    ...credit,
    uid: 'credit-2',
    state: 'open',
    report: undefined,
    resolution: undefined,
  });
  const entry = (id: string, description: string) => ({
    id,
    at: AT,
    amount: 500,
    balanceAfter: 500,
    description,
  });
  const { storeEntries } = createFloatEntries(opened);
  const account = { uid: 'float-1', connectionId: 'acme', isNew: true };
  await storeEntries(account, [entry('e-1', `pay-1 ${NAME}`), entry('credit-1', NAME), entry('e-3', 'Rent')]);
  await createSettlementReports(opened).storeReport({
    ...{ connectionId: 'acme', day: '2026-11-01', content: { csv: TEXT }, checksum: 'c', at: AT },
    read: { state: 'stored', rows: [{ number: 1, uid: 'pay-1', kind: 'payment', amount: 500 }] },
  });
  const erase = (resource: 'agreement' | 'unmatched-credit', uid: string, isApplied = true) =>
    erasePayer({
      ...{ db: owner.db, keyring: KEYRING, of: { resource, uid }, by: 'ops', reason: 'asked us' },
      ...{ isApplied, onProgress: () => undefined },
    });
  await owner.db.insertInto('webhook_deliveries').values(aWebhookDelivery(KEYRING)).execute();
  const due = { 'unmatched-credit': 1, 'float entry': 2, 'settlement report': 1, 'webhook answer': 1 };
  expect(await erase('agreement', 'agr-1', false)).toMatchObject(due);
  expect(await erase('agreement', 'agr-1')).toMatchObject(due);
  expect(await erase('agreement', 'agr-1')).toMatchObject({
    entry: 0,
    'float entry': 0,
    'settlement report': 0,
    'webhook answer': 0,
  });
  const { row, floatEntries } = createReader(opened);
  expect((await row('unmatched-credit', 'credit-1'))?.view).toMatchObject({
    ...{ uid: 'credit-1', accountUid: 'float-1', amount: 700, state: 'matched' },
    ...{ report: { payerName: '[erased]', payerAccount: '[erased]' }, resolution: { paymentUid: 'pay-1' } },
  });
  const request = { accountUid: 'float-1', filter: {}, before: undefined, limit: 5 };
  const texts = (await floatEntries(request)).map(({ description }) => description);
  expect(texts.toSorted()).toEqual(['Rent', '[erased]', '[erased]']);
  await expect(erase('unmatched-credit', 'credit-2')).rejects.toThrow('credit-2 open');
  await expect(erase('unmatched-credit', 'credit-3')).rejects.toThrow('found none');
});
