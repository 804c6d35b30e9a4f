// A batch creates each row once, and explains each row that it refuses.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aPayment, anAgreement, type Road } from '../support/road.js';
import { active, agreementsAt, callsOf, onTheRoad, paymentsAt, providerOf } from '../support/on-the-road.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();

const until = (road: Road, id: string, state: string) =>
  eventually(
    async () => (await road.get(`/v1/batches/${id}`)).body,
    (data) => data['state'] === state,
  );
const rowsOf = async (road: Road, id: string, query = '') =>
  (await road.get(`/v1/batches/${id}/rows?per_page=100${query}`)).body['data'];

test('batches create agreements and payments once per row and explain each refused row', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const [id, pays] = [`b-${randomUUID()}`, `b-${randomUUID()}`];
    const rows = Array.from({ length: 3 }, () => anAgreement());
    const taken = await active(road, connection);
    const asked = { id, connection, kind: 'agreements', rows: [...rows, anAgreement(taken)] };
    for (const request of [asked, structuredClone(asked)])
      expect(await road.post('/v1/batches', request)).toMatchObject({ status: 202, body: { id, rows: 4 } });
    expect(await until(road, id, 'done')).toMatchObject({ counts: { done: 3, refused: 1 } });
    expect(await rowsOf(road, id, '&outcome=refused')).toMatchObject([
      { index: 3, uid: taken, refusals: [{ code: 'idempotency_conflict' }] },
    ]);
    for (const { uid } of rows) {
      expect(agreementsAt(road, uid)).toHaveLength(1);
      expect(callsOf(road, 'create_agreement', uid)).toHaveLength(1);
      await road.backend.untilAgreement(uid, ({ state }) => state === 'active');
    }

    const [first, second] = rows.map(({ uid: agreement_uid }) => ({ ...aPayment(), agreement_uid }));
    const tooMuch = { ...aPayment(undefined, { amount: 99_999 }), agreement_uid: taken };
    const payments = { kind: 'payments', rows: [first, second, tooMuch] };
    const tried = await road.post('/v1/batches?dry_run=true&wait=30', { ...payments, id: `${pays}-dry` });
    expect(tried.body).toMatchObject({ state: 'done', dry_run: true, counts: { passes: 2, refused: 1 } });
    expect(await rowsOf(road, `${pays}-dry`, '&outcome=refused')).toMatchObject([
      { index: 2, refusals: [{ code: 'amount_over_maximum', pointer: '/rows/2/amount' }] },
    ]);
    expect(paymentsAt(road, first?.uid ?? '')).toEqual([]);

    await road.post('/v1/batches', { ...payments, id: pays });
    expect(await until(road, pays, 'done')).toMatchObject({ counts: { done: 2, refused: 1 } });
    await road.post('/v1/batches', { ...payments, id: `${pays}-2` });
    expect(await until(road, `${pays}-2`, 'done')).toMatchObject({ counts: { done: 2, refused: 1 } });
    for (const one of [first, second]) expect(paymentsAt(road, one?.uid ?? '')).toHaveLength(1);
  });
});

const SETTLED_MS = 3000;

test('a paused batch of 400 rows sends at most 20 more submissions', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const id = `b-${randomUUID()}`;
    const rows = Array.from({ length: 400 }, () => anAgreement());
    const mine = new Set(rows.map(({ uid }) => uid));
    const sent = () => road.sandbox.control.state().agreements.filter(({ uid }) => mine.has(uid)).length;
    expect((await road.post('/v1/batches', { id, connection, kind: 'agreements', rows })).status).toBe(202);
    await eventually(
      () => Promise.resolve(sent()),
      (count) => count > 0,
    );
    const { body } = await road.post(`/v1/batches/${id}/pause`, { reason: 'A wrong file' });
    expect(body['state']).toBe('paused');
    const atPause = sent();
    await setTimeout(SETTLED_MS);
    expect(sent() - atPause).toBeLessThanOrEqual(20);
    expect(sent()).toBeLessThan(400);
    await road.post(`/v1/batches/${id}/abandonment`, { reason: 'A wrong file' });
  });
});

const ANOTHERS_ACCOUNT = { account_identifier: { type: 'bban' as const, value: '200001-99999999' } };

test('an identification batch refuses invalid rows and adds each valid one once despite a lost answer', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const [other, ...uids] = await Promise.all(Array.from({ length: 4 }, () => active(road, connection)));
    const accounts = uids.map((uid) => {
      const { type = '', value = '' } = agreementsAt(road, uid)[0]?.debtor.account_identifier ?? {};
      return { uid: `acc-${randomUUID()}`, account_identifier: { type, value } };
    });
    const [accessToken = ''] = road.issued;
    for (const account of accounts)
      await providerOf(road).createCounterparty({ payment_accounts: [account] }, { accessToken });
    const [identified = ''] = uids;
    const [first] = accounts;
    await road.backend.identify(identified, { debtor: { payment_account_uid: first?.uid ?? '' } });
    await road.backend.untilAgreement(identified, ({ debtor }) => debtor?.payment_account_uid === first?.uid);
    const rows = uids.map((uid, index) => ({
      uid,
      debtor: { payment_account_uid: accounts[index]?.uid ?? '' },
    }));
    const payer = { uid: `cp-${randomUUID()}`, connection, payment_accounts: [ANOTHERS_ACCOUNT] };
    await road.backend.party(payer);
    const registered = await road.backend.untilCounterparty(payer.uid, ({ state }) => state === 'registered');
    const anothers = registered.payment_accounts[0]?.uid ?? '';
    const misplaced = { uid: other, debtor: { payment_account_uid: anothers } };
    const asked = { id: `i-${randomUUID()}`, rows: [...rows, { ...rows[1], uid: 'agr-unknown' }, misplaced] };

    const tried = { ...asked, id: `${asked.id}-dry` };
    expect((await road.post('/v1/identifications?dry_run=true&wait=30', tried)).body).toMatchObject({
      counts: { passes: 2, refused: 3 },
    });
    expect(await rowsOf(road, tried.id, '&outcome=refused')).toMatchObject([
      { index: 0, refusals: [{ code: 'once', pointer: '/rows/0/debtor/payment_account_uid' }] },
      { index: 3, refusals: [{ code: 'not_found' }] },
      {
        index: 4,
        refusals: [{ code: 'account_is_debtors', pointer: '/rows/4/debtor/payment_account_uid' }],
      },
    ]);

    road.sandbox.control.addFault({ on: 'add_identification', do: 'cut_after_commit', times: 1 });
    await road.post('/v1/identifications', asked);
    expect(await until(road, asked.id, 'done')).toMatchObject({ counts: { done: 2, refused: 3 } });
    for (const { uid, debtor } of rows) expect(agreementsAt(road, uid)).toMatchObject([{ debtor }]);
  });
});
