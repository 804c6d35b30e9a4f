// A batch creates each row once, and explains each row that it refuses.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aPayment, anAgreement, type HttpStack } from '../support/http-stack.js';
import { active, agreementsAt, callsOf, overHttp, paymentsAt, providerOf } from '../support/over-http.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();

const until = (http: HttpStack, id: string, state: string) =>
  eventually(
    async () => (await http.get(`/v1/batches/${id}`)).body,
    (data) => data['state'] === state,
  );
const rowsOf = async (http: HttpStack, id: string, query = '') =>
  (await http.get(`/v1/batches/${id}/rows?per_page=100${query}`)).body['data'];

test('batches create agreements and payments once per row and explain each refused row', async () => {
  await overHttp(temporal, async (http, connection) => {
    const [id, pays] = [`b-${randomUUID()}`, `b-${randomUUID()}`];
    const rows = Array.from({ length: 3 }, () => anAgreement());
    const taken = await active(http, connection);
    const requested = { id, connection, kind: 'agreements', rows: [...rows, anAgreement(taken)] };
    for (const request of [requested, structuredClone(requested)])
      expect(await http.post('/v1/batches', request)).toMatchObject({ status: 202, body: { id, rows: 4 } });
    expect(await until(http, id, 'done')).toMatchObject({ counts: { done: 3, refused: 1 } });
    expect(await rowsOf(http, id, '&outcome=refused')).toMatchObject([
      { index: 3, uid: taken, refusals: [{ code: 'idempotency_conflict' }] },
    ]);
    for (const { uid } of rows) {
      expect(agreementsAt(http, uid)).toHaveLength(1);
      expect(callsOf(http, 'create_agreement', uid)).toHaveLength(1);
      await http.backend.untilAgreement(uid, ({ state }) => state === 'active');
    }

    const [first, second] = rows.map(({ uid: agreement_uid }) => ({ ...aPayment(), agreement_uid }));
    const tooMuch = { ...aPayment(undefined, { amount: 99_999 }), agreement_uid: taken };
    const payments = { kind: 'payments', rows: [first, second, tooMuch] };
    const tried = await http.post('/v1/batches?dry_run=true&wait=30', { ...payments, id: `${pays}-dry` });
    expect(tried.body).toMatchObject({ state: 'done', dry_run: true, counts: { passes: 2, refused: 1 } });
    expect(await rowsOf(http, `${pays}-dry`, '&outcome=refused')).toMatchObject([
      { index: 2, refusals: [{ code: 'amount_over_maximum', pointer: '/rows/2/amount' }] },
    ]);
    expect(paymentsAt(http, first?.uid ?? '')).toEqual([]);

    await http.post('/v1/batches', { ...payments, id: pays });
    expect(await until(http, pays, 'done')).toMatchObject({ counts: { done: 2, refused: 1 } });
    await http.post('/v1/batches', { ...payments, id: `${pays}-2` });
    expect(await until(http, `${pays}-2`, 'done')).toMatchObject({ counts: { done: 2, refused: 1 } });
    for (const one of [first, second]) expect(paymentsAt(http, one?.uid ?? '')).toHaveLength(1);
  });
});

const SETTLED_MS = 3000;

test('a paused batch of 400 rows sends at most 20 more submissions', async () => {
  await overHttp(temporal, async (http, connection) => {
    const id = `b-${randomUUID()}`;
    const rows = Array.from({ length: 400 }, () => anAgreement());
    const mine = new Set(rows.map(({ uid }) => uid));
    const sent = () => http.sandbox.control.state().agreements.filter(({ uid }) => mine.has(uid)).length;
    expect((await http.post('/v1/batches', { id, connection, kind: 'agreements', rows })).status).toBe(202);
    await eventually(
      () => Promise.resolve(sent()),
      (count) => count > 0,
    );
    const { body } = await http.post(`/v1/batches/${id}/pause`, { reason: 'A wrong file' });
    expect(body['state']).toBe('paused');
    const atPause = sent();
    await setTimeout(SETTLED_MS);
    expect(sent() - atPause).toBeLessThanOrEqual(20);
    expect(sent()).toBeLessThan(400);
    await http.post(`/v1/batches/${id}/abandonment`, { reason: 'A wrong file' });
  });
});

const ANOTHERS_ACCOUNT = { account_identifier: { type: 'bban' as const, value: '200001-99999999' } };

test('an identification batch refuses invalid rows and adds each valid one once despite a lost answer', async () => {
  await overHttp(temporal, async (http, connection) => {
    const [other, ...uids] = await Promise.all(Array.from({ length: 4 }, () => active(http, connection)));
    const accounts = uids.map((uid) => {
      const { type = '', value = '' } = agreementsAt(http, uid)[0]?.debtor.account_identifier ?? {};
      return { uid: `acc-${randomUUID()}`, account_identifier: { type, value } };
    });
    const [accessToken = ''] = http.issued;
    for (const account of accounts)
      await providerOf(http).createCounterparty({ payment_accounts: [account] }, { accessToken });
    const [identified = ''] = uids;
    const [first] = accounts;
    await http.backend.identify(identified, { debtor: { payment_account_uid: first?.uid ?? '' } });
    await http.backend.untilAgreement(identified, ({ debtor }) => debtor?.payment_account_uid === first?.uid);
    const rows = uids.map((uid, index) => ({
      uid,
      debtor: { payment_account_uid: accounts[index]?.uid ?? '' },
    }));
    const payer = { uid: `cp-${randomUUID()}`, connection, payment_accounts: [ANOTHERS_ACCOUNT] };
    await http.backend.party(payer);
    const registered = await http.backend.untilCounterparty(payer.uid, ({ state }) => state === 'registered');
    const anothers = registered.payment_accounts[0]?.uid ?? '';
    const misplaced = { uid: other, debtor: { payment_account_uid: anothers } };
    const requested = {
      id: `i-${randomUUID()}`,
      rows: [...rows, { ...rows[1], uid: 'agr-unknown' }, misplaced],
    };

    const tried = { ...requested, id: `${requested.id}-dry` };
    expect((await http.post('/v1/identifications?dry_run=true&wait=30', tried)).body).toMatchObject({
      counts: { passes: 2, refused: 3 },
    });
    expect(await rowsOf(http, tried.id, '&outcome=refused')).toMatchObject([
      { index: 0, refusals: [{ code: 'once', pointer: '/rows/0/debtor/payment_account_uid' }] },
      { index: 3, refusals: [{ code: 'not_found' }] },
      {
        index: 4,
        refusals: [{ code: 'account_is_debtors', pointer: '/rows/4/debtor/payment_account_uid' }],
      },
    ]);

    http.sandbox.control.addFault({ on: 'add_identification', do: 'cut_after_commit', times: 1 });
    await http.post('/v1/identifications', requested);
    expect(await until(http, requested.id, 'done')).toMatchObject({ counts: { done: 2, refused: 3 } });
    for (const { uid, debtor } of rows) expect(agreementsAt(http, uid)).toMatchObject([{ debtor }]);
  });
});
