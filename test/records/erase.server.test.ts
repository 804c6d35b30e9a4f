import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { agreementAnswer } from '../../api/routes/agreement/answer.schema.js';
import { paymentAnswer } from '../../api/routes/payment/answer.schema.js';
import { refundAnswer } from '../../api/routes/refund/answer.schema.js';
import { withoutPersonalData } from '../../domain/records/erasure.js';
import { eraseAgreement } from '../../records/erase.js';
import { createReader } from '../../records/read.js';
import { openEntry } from '../../records/sealed.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/a-database.js';
import { aPaymentBatch, anEntry } from '../support/a-batch.js';
import { KEYRING } from '../support/temporal.js';
import { aMandate, aPaymentView, aRefundView, anAgreementView } from '../support/api/builders.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import type { PaymentView } from '../../workflows/payment/contract.js';
import type { RefundView } from '../../workflows/refund/contract.js';
import type { RecordedResource } from '../../domain/records/batch.js';

const UI = { url: undefined, namespace: 'default' };
const PLANTED = ['Planted Name', '200001-99990000', 'planted@example.com', 'Planted text'];
const [NAME, ACCOUNT, EMAIL, TEXT] = PLANTED as [string, string, string, string];
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
  const views: [RecordedResource, { uid: string }][] = [
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
  ];
  for (const [resource, view] of views) {
    const data = { id: 'event-1', type: 'settled', detail: { payid: EMAIL, account: ACCOUNT, amount: 4200 } };
    const row = { version: 2, at: AT, view };
    const of = { resource, uid: view.uid, workflowId: `${resource}/${view.uid}`, row };
    await records.write(aPaymentBatch({ ...of, entries: [anEntry(1, { data })] }));
  }
  const erase = (isApplied: boolean) =>
    eraseAgreement({
      ...{ db: owner.db, keyring: KEYRING, uid: 'agr-1', by: 'ops', reason: 'asked us' },
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
    ];
    return { text: JSON.stringify([opened, stored]), views: stored.map((one) => one?.view), tags };
  };
  return { owner, erase, everything };
}

test('erasure removes every name, account and text, keeps amounts and ids, and states who and why', async () => {
  const { owner, erase, everything } = await aPayer();
  const before = await everything();
  for (const planted of PLANTED) expect(before.text).toContain(planted);
  expect(await erase(false)).toEqual({ resources: 3, rows: 3, entries: 6 });
  expect(await everything()).toEqual(before);
  expect(await erase(true)).toEqual({ resources: 3, rows: 3, entries: 6 });
  const { text, views, tags } = await everything();
  for (const planted of PLANTED) expect(text).not.toContain(planted);
  expect(tags).toEqual([]);
  const [agreement, payment, refund] = views as [AgreementView, PaymentView, RefundView];
  expect(agreementAnswer(UI, agreement)).toMatchObject({ uid: 'agr-1', state: 'cancelled' });
  expect(paymentAnswer(UI, payment)).toMatchObject({ amount: 4200, state_since: AT, agreement_uid: 'agr-1' });
  expect(refundAnswer(UI, refund)).toMatchObject({ uid: 'ref-1', state: 'processed' });
  expect(await erase(true)).toEqual({ resources: 3, rows: 0, entries: 0 });
  const notes = await owner.db.selectFrom('entries').selectAll().where('name', '=', 'erased').execute();
  expect(notes).toMatchObject([{ workflow_id: 'agreement/agr-1', kind: 'command' }]);
  expect(text).toContain('"by":"ops","reason":"asked us"');
});

test('erasure is refused while something has not ended, or without such an agreement', async () => {
  const { owner, erase } = await aPayer('active');
  await expect(erase(true)).rejects.toThrow('found agreement agr-1 active. Cancel the agreement first');
  await owner.db.deleteFrom('agreements').execute();
  await expect(erase(true)).rejects.toThrow('found none with agr-1');
});

test('a field that is not in the list is erased, also with a date of birth or a number of an account', () => {
  const given = {
    date_of_birth: '1990-01-02',
    account_number: 12_345_678,
    new_field: 'x',
    settled_at: AT,
    amount: 5,
  };
  expect(withoutPersonalData(given)).toEqual({
    ...{ date_of_birth: '[erased]', account_number: null, new_field: '[erased]' },
    ...{ settled_at: AT, amount: 5 },
  });
});
