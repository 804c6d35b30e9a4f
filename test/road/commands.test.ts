// Commands on an agreement reach the provider once despite lost answers and webhooks.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTemporal } from '../support/temporal.js';
import { active, agreementsAt, callsOf, overHttp, providerOf } from '../support/over-http.js';

const temporal = useTemporal();
const WHY = { narrative: 'As agreed by phone' };
const A_YEAR_MS = 400 * 86_400_000;

test('an agreement is suspended, reactivated and cancelled once each despite lost answers and webhooks', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const uid = await active(http, connection);
    const pause = (narrative = WHY.narrative) => backend.suspend(uid, { narrative }, { key: 'pause-1' });
    for (const answer of await Promise.all(Array.from({ length: 5 }, () => pause())))
      expect(answer).toMatchObject({
        status: 202,
        data: { state: 'suspended', state_caused_by: 'initiator', pending_action: null },
      });
    expect(callsOf(http, 'suspend_agreement', uid)).toHaveLength(1);
    expect(await pause('Else')).toMatchObject({ status: 422, problem: { code: 'idempotency_conflict' } });

    sandbox.control.addFault({ on: 'reactivate_agreement', do: 'cut_after_commit', times: 1 });
    expect(await backend.reactivate(uid)).toMatchObject({ status: 202, data: { state: 'active' } });

    sandbox.control.actAsPayer(uid, 'suspend');
    await backend.untilAgreement(uid, ({ state }) => state === 'suspended');
    const refused = await backend.reactivate(uid);
    expect(refused).toMatchObject({ status: 409, problem: { code: 'suspended_by_payer' } });

    sandbox.control.addFault({ on: 'webhook', do: 'lose' });
    sandbox.control.actAsPayer(uid, 'reactivate');
    expect((await backend.lookUp(uid)).status).toBe(202);
    await backend.untilAgreement(uid, ({ state }) => state === 'active');

    expect(await backend.cancel(uid, WHY)).toMatchObject({
      status: 202,
      data: {
        state: 'cancelled',
        actions: [
          { kind: 'suspension', stage: 'done' },
          { kind: 'reactivation', stage: 'done' },
          { kind: 'cancellation', stage: 'done' },
        ],
      },
    });
    const last = (await backend.wholeTimeline(uid)).at(-1);
    expect(last).toMatchObject({ type: 'cancelled', source: 'history' });
    expect(await backend.suspend(uid, WHY)).toMatchObject({
      status: 409,
      problem: { code: 'agreement_final' },
    });
  });
});

test('an amendment applies after the payer accepts it and can be recalled before', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const end = new Date(Date.now() + A_YEAR_MS).toISOString().slice(0, 10);
    const uid = await active(http, connection, { validity_end_date: end });
    const changes = { payment_terms: { max_amount: 40_000 }, validity_end_date: null };
    const key = randomUUID();
    sandbox.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
    expect((await backend.amend(uid, changes, { key, wait: 0 })).status).toBe(202);
    const waiting = await backend.untilAgreement(
      uid,
      ({ awaiting, pending_action: pending }) =>
        awaiting.what === 'amendment-decision' && pending?.accepted === true,
    );
    expect(waiting).toMatchObject({
      pending_action: { kind: 'amendment', key },
      payment_terms: { max_amount: 25_000 },
      validity_end_date: end,
    });
    const second = await backend.amend(uid, changes);
    expect(second).toMatchObject({ status: 409, problem: { code: 'action_pending' } });

    sandbox.control.actAsPayer(uid, 'accept_amendment');
    const amended = await backend.untilAgreement(
      uid,
      ({ pending_action: pending, validity_end_date: until }) => pending === null && until === null,
    );
    expect(amended).toMatchObject({
      actions: [{ kind: 'amendment', stage: 'done' }],
      payment_terms: { max_amount: 40_000 },
    });

    sandbox.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
    await backend.amend(uid, { payment_terms: { max_amount: 50_000 } }, { wait: 0 });
    await backend.untilAgreement(uid, ({ awaiting }) => awaiting.what === 'amendment-decision');
    expect(await backend.recall(uid)).toMatchObject({
      status: 202,
      data: {
        payment_terms: { max_amount: 40_000 },
        actions: [
          { kind: 'amendment', stage: 'done' },
          { kind: 'amendment', stage: 'failed', failure: { code: 'amendment_recalled' } },
          { kind: 'amendment_recall', stage: 'done' },
        ],
      },
    });
  });
});

test('the account of the debtor is added once despite a lost answer', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const uid = await active(http, connection);
    const [agreement] = agreementsAt(http, uid);
    const { type = '', value = '' } = agreement?.debtor.account_identifier ?? {};
    const account = { uid: `acc-${randomUUID()}`, account_identifier: { type, value } };
    const [accessToken = ''] = http.issued;
    await providerOf(http).createCounterparty({ payment_accounts: [account] }, { accessToken });
    sandbox.control.addFault({ on: 'add_identification', do: 'cut_after_commit', times: 1 });
    const debtor = { payment_account_uid: account.uid };
    expect(await backend.identify(uid, { debtor })).toMatchObject({
      status: 202,
      data: { actions: [{ kind: 'identification', stage: 'done' }] },
    });
    const shown = await backend.untilAgreement(
      uid,
      ({ debtor: now }) => now?.payment_account_uid === account.uid,
    );
    expect(shown.initiator).toMatchObject({ legal_name: 'Sandbox Biller Pty Ltd', client_id: null });
    expect(await backend.identify(uid, { debtor })).toMatchObject({
      status: 409,
      problem: { code: 'identified_before' },
    });
    const unknown = await backend.identify(uid, { initiator: { client_id: 'nobody' } });
    expect(unknown).toMatchObject({
      status: 202,
      data: { actions: [{ stage: 'done' }, { stage: 'refused', failure: { code: 'ZPUNP00' } }] },
    });
  });
});
