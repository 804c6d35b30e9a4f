import { expect, test } from 'vitest';
import { createReader } from '../../records/read.js';
import { rebuildAllRows } from '../../records/rebuild-all.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { anAgreementView } from '../support/api/builders.js';
import { KEYRING } from '../support/temporal.js';
import type { ResourceName } from '../../domain/resources.js';

const AT = '2026-11-01T02:03:04.000Z';

async function aPayer() {
  const { owner, application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const { write } = createRecords(opened);
  const store = (resource: ResourceName, uid: string, view: object) =>
    write({
      ...aPaymentBatch({
        resource,
        uid,
        connectionId: 'acme',
        workflowId: `${resource}/${uid}`,
        entries: [],
      }),
      row: { version: 1, at: AT, view },
    });
  const debtor = { account_identifier: { type: 'bban', value: '200001-12340009' } };
  const mandate = { payment_terms: { type: 'fixed', amount: 1 }, debtor };
  await store('agreement', 'agr-1', anAgreementView({ uid: 'agr-1', mandate, mmsAgreementId: 'MMS-77' }));
  const order = { agreement_uid: 'agr-2', amount: 1, reference: 'INV-0070' };
  await store('payment', 'pay-0042', aPaymentView({ uid: 'pay-0042', order }));
  const credit = { connectionId: 'acme', amount: 3333, receivedAt: '2026-01-01T00:00:00.000Z' };
  return {
    owner,
    proposed: async (payerAccount: string | undefined, ...texts: string[]) => {
      const found = await createReader(opened).candidates({ ...credit, texts, payerAccount });
      return found.map(({ uid, reasons }) => `${uid}: ${reasons.join()}`);
    },
  };
}

test('the payer, the reference and the uid of a credit are found however they are written', async () => {
  const { proposed } = await aPayer();
  for (const account of ['200001-12340009', '200001-012340009', '200 001 12340009'])
    expect(await proposed(account)).toEqual(['agr-1: payer_account']);
  expect(await proposed('200001-123400090')).toEqual([]);
  expect(await proposed(undefined, 'Rent inv 70')).toEqual(['pay-0042: reference']);
  expect(await proposed(undefined, 'for PAY 42, thanks')).toEqual(['pay-0042: uid']);
  expect(await proposed(undefined, 'AGR1')).toEqual(['agr-1: uid']);
  expect(await proposed(undefined, 'for mms 77')).toEqual(['agr-1: uid']);
});

test('a row with tags of another form is found after a rebuild of all rows', async () => {
  const { owner, proposed } = await aPayer();
  for (const table of ['agreements', 'payments'] as const)
    await owner.db
      .updateTable(table)
      .set({ search_tags: ['of-before'] })
      .execute();
  const sought = () => proposed('200001-012340009', 'inv 70');
  expect(await sought()).toEqual([]);
  const options = { db: owner.db, keyring: KEYRING, isApplied: true, onProgress: () => undefined };
  expect(await rebuildAllRows(options)).toEqual({ rows: 2, changed: 2 });
  expect(await sought()).toEqual(['pay-0042: reference', 'agr-1: payer_account']);
});
