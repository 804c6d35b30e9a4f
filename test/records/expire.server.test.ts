// Only what ended before the retention is deleted.
import { aWebhookDelivery } from '../support/webhooks.js';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createSettlementReports } from '../../records/settlement.js';
import { createAuditLog } from '../../records/audit.js';
import { expireRecords } from '../../records/expire.js';
import { bindKey } from '../../records/key-bindings.js';
import { onDatabase } from '../../records/run.js';
import { createRecords } from '../../records/write.js';
import { aDatabase, withRoles } from '../support/database.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { KEYRING } from '../support/temporal.js';
import type { ResourceName } from '../../domain/resources.js';

const OLD = '2019-10-01T00:00:00.000Z';
const NEW = '2026-10-01T00:00:00.000Z';
const BEFORE = new Date('2019-11-01T00:00:00.000Z');

test('only what ended before the retention is deleted, with its entries, and a dry run deletes nothing', async () => {
  const database = await aDatabase();
  const { owner, application } = database;
  const { expiry } = await withRoles(database);
  const records = createRecords({ db: application.db, keyring: KEYRING });
  const stored = (resource: ResourceName, uid: string, state: string, since: string, order: object = {}) =>
    records.write(
      aPaymentBatch({
        ...{ resource, uid, workflowId: `${resource}/${uid}` },
        row: { version: 2, at: since, view: aPaymentView({ uid, state, stateSince: since, order }) },
      }),
    );
  await stored('agreement', 'agr-gone', 'cancelled', OLD);
  await stored('payment', 'pay-gone', 'settled', OLD, { agreement_uid: 'agr-gone' });
  await stored('agreement', 'agr-active', 'active', OLD);
  await stored('agreement', 'agr-kept', 'cancelled', OLD);
  await stored('payment', 'pay-kept', 'settled', OLD, { agreement_uid: 'agr-kept' });
  await stored('refund', 'ref-kept', 'processed', NEW, { original_payment_uid: 'pay-kept' });
  await stored('connection', 'acme', 'healthy', OLD);
  await stored('client', 'cl-gone', 'failed', OLD);
  for (const [sequence, at] of [OLD, OLD, NEW].entries())
    await records.write(
      aPaymentBatch({
        ...{ resource: 'float-account', uid: 'acc', workflowId: 'float-account/acc' },
        ...{ follows: sequence * 10, taskFollows: sequence * 10 },
        entries: [
          anEntry(sequence * 10 + 1, { at, factId: `fact-${sequence}` }),
          anEntry(sequence * 10 + 2, { at, kind: 'state', factId: undefined }),
        ],
        row: { version: sequence * 10 + 10, at, view: { state: 'followed' } },
      }),
    );
  await stored('notification', 'not-gone', 'acknowledged', OLD);
  await stored('notification', 'not-read', 'open', OLD);
  await stored('notification', 'not-open', 'open', NEW);
  await createAuditLog(application.db).append({ id: randomUUID(), action: 'stopPayments', outcome: 'done' });
  await stored('unmatched-credit', 'credit-gone', 'kept', OLD);
  await stored('unmatched-credit', 'credit-open', 'open', OLD);
  await createSettlementReports({ db: application.db, keyring: KEYRING }).storeReport({
    ...{ connectionId: 'acme', day: OLD.slice(0, 10), content: { csv: 'csv' }, checksum: 'c', at: OLD },
    read: { state: 'stored', rows: [{ number: 1, uid: 'pay-1' }] },
  });
  for (const [key, at] of Object.entries({ 'key-gone': OLD, 'key-kept': NEW })) {
    await bindKey(onDatabase(application.db), { key, resource: 'agreement', uid: 'agr', body: 'digest' });
    await sql`update idempotency_keys set bound_at = ${at} where key = ${key}`.execute(owner.db);
  }
  await owner.db
    .insertInto('webhook_deliveries')
    .values([aWebhookDelivery(KEYRING, { at: new Date('2019-01-01') }), aWebhookDelivery(KEYRING)])
    .execute();
  const expire = (isApplied: boolean) =>
    expireRecords({
      db: expiry.db,
      before: BEFORE,
      keysBefore: BEFORE,
      deliveriesBefore: BEFORE,
      isApplied,
      onProgress: () => undefined,
    });
  const expected = {
    ...{
      refund: 0,
      payment: 1,
      agreement: 1,
      onboarding: 0,
      batch: 0,
      notification: 2,
      'unmatched-credit': 1,
      ...{ client: 1, counterparty: 0 },
    },
    ...{ entry: 14, 'float entry': 0, 'settlement report': 1, 'audit event': 0, 'idempotency key': 1 },
    'webhook delivery': 1,
  };
  expect(await expire(false)).toEqual(expected);
  expect(await expire(true)).toEqual(expected);
  expect(await expire(true)).toEqual({
    ...{ ...expected, payment: 0, agreement: 0, notification: 0, client: 0, entry: 0 },
    ...{ 'unmatched-credit': 0, 'settlement report': 0, 'idempotency key': 0, 'webhook delivery': 0 },
  });
  expect(await owner.db.selectFrom('settlement_lines').selectAll().execute()).toEqual([]);
  const left = await owner.db.selectFrom('entries').select('uid').distinct().orderBy('uid').execute();
  expect(left.map(({ uid }) => uid)).toEqual([
    'acc',
    'acme',
    'agr-active',
    'agr-kept',
    'credit-open',
    'not-open',
    'pay-kept',
    'ref-kept',
  ]);
  const ofAccount = owner.db
    .selectFrom('entries')
    .select('kind')
    .where('uid', '=', 'acc')
    .orderBy('sequence');
  expect((await ofAccount.execute()).map(({ kind }) => kind)).toEqual(['fact', 'fact', 'fact', 'state']);
  await expect(
    expireRecords({
      db: application.db,
      before: BEFORE,
      keysBefore: BEFORE,
      deliveriesBefore: BEFORE,
      isApplied: true,
      onProgress: () => undefined,
    }),
  ).rejects.toThrow('permission denied');
});

test('a registered counterparty expires once nothing names it, and the open run is named', async () => {
  const database = await aDatabase();
  const { owner, application } = database;
  const { expiry } = await withRoles(database);
  const { write } = createRecords({ db: application.db, keyring: KEYRING });
  const stored = (resource: ResourceName, uid: string, view: object) =>
    write(
      aPaymentBatch({
        ...{ resource, uid, workflowId: `${resource}/${uid}`, entries: [] },
        row: { version: 2, at: OLD, view: { uid, stateSince: OLD, ...view } },
      }),
    );
  const registered = (account: string) => ({ state: 'registered', accounts: [{ uid: account }] });
  await stored('counterparty', 'cp-unused', registered('acc-1'));
  await stored('counterparty', 'cp-named', registered('acc-2'));
  await stored('counterparty', 'cp-onboarded', registered('acc-3'));
  await stored('counterparty', 'cp-new', { ...registered('acc-4'), stateSince: NEW });
  const debtor = { payment_account_uid: 'acc-2' };
  await stored('agreement', 'agr-1', { state: 'active', mandate: { debtor } });
  await stored('onboarding', 'onb-1', { state: 'running', parts: { counterparty: { uid: 'cp-onboarded' } } });
  const open: string[] = [];
  const expired = await expireRecords({
    ...{ db: expiry.db, before: BEFORE, keysBefore: BEFORE, deliveriesBefore: BEFORE, isApplied: true },
    ...{ onProgress: () => undefined, onOpenRun: (workflowId) => open.push(workflowId) },
  });
  expect(expired).toMatchObject({ counterparty: 1, agreement: 0, onboarding: 0 });
  expect(open).toEqual(['counterparty/cp-unused']);
  const tombs = await owner.db.selectFrom('tombstones').select('uid').execute();
  expect(tombs).toEqual([{ uid: 'cp-unused' }]);
});
