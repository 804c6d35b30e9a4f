import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { onboardingWorkflowId } from '../../workflows/onboarding/contract.js';
import { anOnboarding } from '../support/an-onboarding.js';
import { onTheRoad } from '../support/on-the-road.js';
import { eventsOf, eventually, skipTime, useTemporal } from '../support/temporal.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

const countsAt = ({ sandbox }: Road) => {
  const { clients, counterparties, agreements, payments } = sandbox.control.state();
  return [clients, counterparties, agreements, payments].map(({ length }) => length);
};

test('one request ends in a settled payment, with each thing made once though every answer is lost', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const before = countsAt(road);
    const asked = anOnboarding(connection);
    const { id } = asked;
    for (const on of ['create_client', 'create_agreement', 'create_payment'] as const)
      sandbox.control.addFault({ on, do: 'cut_after_commit', times: 1 });
    expect(await backend.onboard(asked)).toMatchObject({
      status: 202,
      data: {
        state: 'under_way',
        steps: [{ step: 'client', state: 'under_way', who_acts: 'provider' }, {}, {}, {}, {}, {}],
      },
    });
    const uid = asked.client.uid;
    await backend.untilClient(uid, ({ awaiting }) => awaiting.what === 'submission-outcome');
    await skipTime(temporal.client, clientWorkflowId(uid));
    const { client_id } = await backend.untilOnboarding(id, (seen) => seen.client_id !== null);
    sandbox.control.setClientService(client_id ?? '', 'payto', 'active');
    const uids = (await backend.untilOnboarding(id, ({ state }) => state === 'done')).steps.map(
      ({ resource }) => resource?.uid,
    );
    expect(new Set(uids).size).toBe(4);
    expect(countsAt(road)).toEqual(before.map((count) => count + 1));
    const [agreement] = sandbox.control.state().agreements.slice(-1);
    const [counterparty] = sandbox.control.state().counterparties.slice(-1);
    expect(agreement).toMatchObject({
      uid: uids[3],
      initiator: { client_id },
      debtor: { payment_account_uid: counterparty?.payment_account_uids[0] },
    });

    expect(await backend.onboard(asked)).toMatchObject({ status: 202, data: { state: 'done' } });
    const other = { ...asked, agreement: { ...asked.agreement, description: 'Another' } };
    expect(await backend.onboard(other)).toMatchObject({
      status: 422,
      problem: { code: 'idempotency_conflict', errors: [{ pointer: '/agreement/description' }] },
    });
    const listed = await eventually(
      async () => (await road.get(`/v1/onboardings?state=done&connection=${connection}`)).body['data'],
      (data) => Array.isArray(data) && data.length > 0,
    );
    expect(listed).toMatchObject([{ id, state: 'done', attention: [] }]);
    expect(await backend.abandonOnboarding(id, 'too late', 'k1')).toMatchObject({
      status: 409,
      problem: { code: 'onboarding_over' },
    });
  });
});

test('a payer who declines stops it, a corrected agreement goes on with it, and its own part of all events is small', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const { client: _, counterparty: __, ...asked } = anOnboarding(connection);
    const { id, agreement } = asked;
    const declined = { ...agreement, uid: `agr-${randomUUID()}` };
    sandbox.control.scriptPayer(declined.uid, { simulate: 'debtor_decline' });
    await backend.onboard({ ...asked, agreement: declined });
    const stopped = await backend.untilOnboarding(id, ({ state }) => state === 'stopped');
    expect(stopped).toMatchObject({ attention: [{ code: 'stopped' }], awaiting: { what: 'operator' } });
    const corrected = await backend.correctOnboarding(id, { reason: 'Asked again', agreement }, 'k1');
    expect(corrected).toMatchObject({ status: 202, data: { left_behind: [{ uid: declined.uid }] } });
    await backend.untilOnboarding(id, ({ state }) => state === 'done');
    expect(sandbox.control.state().payments.filter(({ agreement_uid: of }) => of === declined.uid)).toEqual(
      [],
    );

    const again = anOnboarding(connection);
    await backend.onboard({ id: again.id, connection, agreement: again.agreement, payment: again.payment });
    const { steps } = await backend.untilOnboarding(again.id, ({ state }) => state === 'done');
    const events = (workflowId: string) => eventsOf(temporal.client.workflow.getHandle(workflowId));
    expect(await events(onboardingWorkflowId(again.id))).toBeLessThanOrEqual(40);
    expect(await events(agreementWorkflowId(steps[0]?.resource?.uid ?? ''))).toBeLessThanOrEqual(60);
  });
});

test('an onboarding is given up while the payer is asked, and says what is left behind', async () => {
  await onTheRoad(temporal, async ({ backend, sandbox }, connection) => {
    const { client: _, counterparty: __, ...asked } = anOnboarding(connection);
    const uid = `agr-${randomUUID()}`;
    sandbox.control.scriptPayer(uid, { simulate: 'ignore' });
    await backend.onboard({ ...asked, agreement: { ...asked.agreement, uid } });
    await backend.untilOnboarding(asked.id, ({ awaiting }) => awaiting.what === 'payer-decision');
    const abandoned = await backend.abandonOnboarding(asked.id, 'They moved away', 'k1');
    expect(abandoned.data).toMatchObject({
      state: 'abandoned',
      left_behind: [{ part: 'agreement', uid, link: `/v1/agreements/${uid}` }],
      commands: [{ kind: 'abandonment', step: 'payer_decision', reason: 'They moved away', by: 'test' }],
    });
    expect((await backend.abandonOnboarding(asked.id, 'They moved away', 'k1')).status).toBe(202);
    expect((await backend.agreement(uid)).data).toMatchObject({ state: 'created' });
  });
});

test('a corrected counterparty is whom the agreement is made with, and a payment that is tried again is the only one', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const { client: _, ...given } = anOnboarding(connection);
    const accountOf = (value: string) => ({
      account_identifier: { type: 'bban' as const, value },
      party_name: 'Ada Payer',
    });
    const verified = (value: string) => ({
      payment_accounts: [{ ...accountOf(value), verification: { method: 'account_validation' as const } }],
    });
    const onto = (value: string) => ({ ...given.agreement, debtor: accountOf(value) });
    const payment = { ...given.payment, uid: `pay-${randomUUID()}` };
    const [wrong, right] = ['200001-90000002', '200001-12349876'];
    await backend.onboard({ ...given, counterparty: verified(wrong), agreement: onto(wrong), payment });
    const { id } = given;
    await backend.untilOnboarding(id, ({ state }) => state === 'stopped');
    const reason = 'Mistyped';
    expect(
      await backend.correctOnboarding(id, { reason, counterparty: verified(right) }, 'k1'),
    ).toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/counterparty/payment_accounts' }] },
    });
    sandbox.control.scriptPayment(payment.uid, { simulate: 'insufficient_funds' });
    const both = { reason, counterparty: verified(right), agreement: onto(right) };
    expect((await backend.correctOnboarding(id, both, 'k2')).status).toBe(202);
    await backend.untilOnboarding(id, ({ steps }) => steps.at(-1)?.state === 'stopped');
    const [agreement] = sandbox.control.state().agreements.slice(-1);
    const [counterparty] = sandbox.control.state().counterparties.slice(-1);
    expect(agreement).toMatchObject({
      debtor: {
        payment_account_uid: counterparty?.payment_account_uids[0],
        account_identifier: { value: right },
      },
    });

    sandbox.control.scriptPayment(payment.uid, { simulate: 'auto_settle' });
    const creditor = {
      party_name: given.agreement.creditor?.party_name ?? '',
      account_identifier: { type: 'bban' as const, value: '200002-55550001' },
    };
    expect(await backend.retry(payment.uid, { creditor })).toMatchObject({ status: 202 });
    await backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
    await backend.resumeOnboarding(id, 'Paid to the other account', 'k3');
    const { steps } = await backend.untilOnboarding(id, ({ state }) => state === 'done');
    expect(steps.at(-1)?.resource?.uid).toBe(payment.uid);
    const ofIt = sandbox.control.state().payments.filter(({ agreement_uid: of }) => of === agreement?.uid);
    expect(ofIt).toMatchObject([{ uid: payment.uid, state: 'settled' }]);
  });
});

test('what is found out about a payer stops it before anything is made, and says what to do', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend } = road;
    const before = countsAt(road);
    const about = (account_identifier: { type: 'bban' | 'alias_email'; value: string }) => {
      const { client: _, ...asked } = anOnboarding(connection);
      const account = { account_identifier, party_name: 'Ada Payer' };
      const payer = { requester_id: 'customer-77', remote_ip: '203.0.113.7' };
      const isBank = account_identifier.type === 'bban';
      const method = isBank ? ('account_validation' as const) : ('alias_resolution' as const);
      return {
        ...asked,
        counterparty: {
          payer,
          payment_accounts: [{ ...account, verification: { method } }],
        },
        agreement: { ...asked.agreement, debtor: account, ...(!isBank && { payer }) },
      };
    };
    for (const [account, outcome, advice] of [
      [{ type: 'bban', value: '200001-90000001' }, 'close_match', 'acceptance'],
      [{ type: 'bban', value: '200001-90000002' }, 'no_match', 'correct'],
      [{ type: 'alias_email', value: 'unknown@payer.example' }, 'alias_unknown', 'right PayID'],
    ] as const) {
      const asked = about(account);
      expect(await backend.onboard(asked)).toMatchObject({ status: 202 });
      const stopped = await backend.untilOnboarding(asked.id, ({ state }) => state === 'stopped');
      const [step] = stopped.steps;
      expect(step).toMatchObject({ step: 'counterparty', state: 'stopped', who_acts: 'caller' });
      const { data: party } = await backend.counterparty(step?.resource?.uid ?? '');
      expect(party?.payment_accounts[0]?.outcome?.outcome).toBe(outcome);
      expect(party?.attention[0]?.next).toContain(advice);
    }
    expect(countsAt(road)).toEqual(before);
  });
});
