import { createHash, createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFloatEntries } from '../../records/float-entries.js';
import { forgetOlderKeys, keysProblem } from '../../records/keys.js';
import { createReader } from '../../records/read.js';
import { resealRecords } from '../../records/reseal.js';
import { createSettlementReports } from '../../records/settlement.js';
import { sealWebhook } from '../../records/sealed.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/database.js';
import { aWebhookDelivery } from '../support/webhooks.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { anOrder } from '../support/workflows/provider.js';
import type { Keyring, SealingKey } from '../../sealing/keyring.js';

const keyOf = (id: string, text = id): SealingKey => ({
  id,
  key: createSecretKey(createHash('sha256').update(text).digest()),
});
const OLD: Keyring = [keyOf('k1')];
const BOTH: Keyring = [keyOf('k2'), keyOf('k1')];
const NEW: Keyring = [keyOf('k2')];
const AT = '2026-11-01T02:03:04.000Z';

const tagged = (uid: string) => ({ order: { ...anOrder('agr-1'), metadata: { invoice: `of ${uid}` } } });

async function storedWithOld() {
  const { owner, application } = await aDatabase();
  const { db } = application;
  const records = createRecords({ db, keyring: OLD });
  for (const uid of ['pay-1', 'pay-2', 'pay-3']) {
    const view = aPaymentView(tagged(uid));
    await records.write(aPaymentBatch({ uid, row: { version: 2, at: AT, view } }));
  }
  const carried = { shape: 1, state: { attention: [] } };
  const next = aPaymentBatch({ uid: 'pay-1', entries: [], carried });
  await records.write({
    ...next,
    follows: 2,
    row: { ...next.row, version: 12, view: { ...next.row.view, ...tagged('pay-1') } },
  });
  await records.write({ ...next, identity: 'run-2' });
  const erased = { erased_at: new Date(), search_tags: [] };
  await db.updateTable('payments').set(erased).where('uid', '=', 'pay-3').execute();
  const account = { uid: 'float-1', connectionId: 'acme', isNew: true };
  const entry = { id: 'entry-1', at: AT, amount: 4200, balanceAfter: 4200, description: 'a text' };
  await createFloatEntries({ db, keyring: OLD }).storeEntries(account, [entry]);
  await createSettlementReports({ db, keyring: OLD }).storeReport({
    ...{ connectionId: 'acme', day: '2026-10-30', content: { csv: 'uid\n' }, checksum: 'c', at: AT },
    read: { state: 'stored', rows: [] },
  });
  await db.insertInto('webhook_deliveries').values(aWebhookDelivery(OLD)).execute();
  await db
    .insertInto('webhook_endpoints')
    .values({
      ...{
        id: 'we',
        principal: 'shop',
        api_key_id: 'shop',
        request_key: 'we',
        types: null,
        connections: null,
      },
      ...{ form: 'full', status: 'enabled', disabled_because: null, disabled_at: null, key_scopes: ['read'] },
      ...{ key_connections: null, key_confirmed_at: new Date(AT), updated_at: new Date(AT) },
      ...sealWebhook(OLD, 'webhook_endpoints', 'we', { url: 'https://backend.example' }),
    })
    .execute();
  const secret = sealWebhook(OLD, 'webhook_secrets', 'secret', { secret: 'whsec_' });
  await db
    .insertInto('webhook_secrets')
    .values({ id: 'secret', endpoint_id: 'we', expires_at: null, ...secret })
    .execute();
  return { owner: owner.db, application: application.db };
}

const reseal = (db: Awaited<ReturnType<typeof storedWithOld>>['owner'], isApplied: boolean, keyring = BOTH) =>
  resealRecords({ db, keyring, isApplied, onProgress: () => undefined });

test('resealing makes everything readable and searchable without the older key, and keeps erased rows untagged', async () => {
  const { owner, application } = await storedWithOld();
  const due = { rows: 4, entries: 10, floatEntries: 1, reports: 1, webhooks: 3 };
  expect(await reseal(owner, false)).toEqual(due);
  const found = (keyring: Keyring, value: string) =>
    createReader({ db: application, keyring })
      .list('payment', {
        filter: { terms: [{ metadata: 'invoice', value }] },
        ...{ sort: { by: 'created', isDescending: true }, after: undefined, limit: 9 },
      })
      .then(({ views }): number => views.length);
  expect(await found(OLD, 'of pay-1')).toBe(1);
  expect(await reseal(owner, true)).toEqual(due);
  expect([await found(NEW, 'of pay-1'), await found(NEW, 'of pay-3')]).toEqual([1, 0]);
  const reader = createReader({ db: application, keyring: NEW });
  expect(await reader.remembered('payment', 'pay-1')).toMatchObject({
    ...{ view: { state: 'settled' }, carried: { shape: 1, state: { attention: [{ code: 'conflict' }] } } },
  });
  const { entries } = await reader.timeline('payment', 'pay-1', { after: undefined, limit: 9 });
  expect(entries.map(({ kind }) => kind)).toEqual(['fact', 'attention']);
  expect(await reseal(owner, false)).toEqual({
    rows: 0,
    entries: 0,
    floatEntries: 0,
    reports: 0,
    webhooks: 0,
  });
});

test('a ring without a key that has sealed gets one line, and leaves no canary of its own', async () => {
  const { owner, application } = await aDatabase();
  const { db } = application;
  expect(await keysProblem(db, OLD)).toBeUndefined();
  expect(await keysProblem(db, NEW)).toMatch(/^ENCRYPTION_KEYS: expected also the key k1, /);
  expect(await keysProblem(db, [keyOf('k1', 'another')])).toMatch(/found another key of that name$/);
  expect(await keysProblem(db, OLD)).toBeUndefined();
  expect(await keysProblem(db, BOTH)).toBeUndefined();
  expect(await keysProblem(db, OLD)).toMatch(/^ENCRYPTION_KEYS: expected also the key k2, /);
  expect(await forgetOlderKeys(owner.db, BOTH)).toEqual(['k1']);
  expect(await keysProblem(db, NEW)).toBeUndefined();
});
