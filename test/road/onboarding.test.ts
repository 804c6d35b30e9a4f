// An onboarding creates each part once, and stops and continues where a person must act.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { onboardingWorkflowId } from '../../workflows/onboarding/contract.js';
import { anOnboarding } from '../support/an-onboarding.js';
import { onTheRoad } from '../support/on-the-road.js';
import { eventsOf, eventually, skipTime, useTemporal } from '../support/temporal.js';
import { anAbn } from '../support/workflows/provider.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

const countsAt = ({ sandbox }: Road) => {
  const { clients, counterparties, agreements, payments } = sandbox.control.state();
  return [clients, counterparties, agreements, payments].map(({ length }) => length);
};

async function activate({ backend, sandbox }: Road, uid: string): Promise<string> {
  const { client_id } = await backend.untilClient(uid, (seen) => seen.client_id !== null);
  if (client_id === null) throw new Error('expected the provider to have the client');
  sandbox.control.setClientService(client_id, 'payto', 'active');
  return client_id;
}

test('an onboarding ends in a settled payment and creates each part once despite lost answers', async () => {
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
        steps: [{ step: 'counterparty', state: 'under_way', who_acts: 'provider' }, {}, {}, {}, {}],
      },
    });
    const uid = asked.client.uid;
    await backend.untilClient(uid, ({ awaiting }) => awaiting.what === 'submission-outcome');
    await skipTime(temporal.client, clientWorkflowId(uid));
    const client_id = await activate(road, uid);
    const done = await backend.untilOnboarding(id, ({ state }) => state === 'done');
    expect(done).toMatchObject({ client_id, attention: [] });
    const uids = done.steps.map(({ resource }) => resource?.uid);
    expect(new Set(uids).size).toBe(4);
    expect(countsAt(road)).toEqual(before.map((count) => count + 1));
    const [agreement] = sandbox.control.state().agreements.slice(-1);
    const [counterparty] = sandbox.control.state().counterparties.slice(-1);
    expect(agreement).toMatchObject({
      uid: uids[2],
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

test('an onboarding stops if the payer declines, continues after a correction, and writes few events', async () => {
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

test('an onboarding continues after a counterparty correction and a retry of its only payment', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const { client: _, ...given } = anOnboarding(connection);
    const debtorOf = (value: string) => ({
      account_identifier: { type: 'bban' as const, value },
      party_name: 'Ada Payer',
    });
    const [wrong, right] = [debtorOf('200001-90000002'), debtorOf('200001-12349876')];
    const verification = { method: 'account_validation' as const };
    const cp = `cp-${randomUUID()}`;
    const payment = { ...given.payment, uid: `pay-${randomUUID()}` };
    const onto = (debtor: typeof wrong) => ({ ...given.agreement, debtor });
    await backend.onboard({
      ...given,
      ...{
        counterparty: { uid: cp, payment_accounts: [{ ...wrong, verification }] },
        agreement: onto(wrong),
        payment,
      },
    });
    const { id } = given;
    await backend.untilOnboarding(id, ({ state }) => state === 'stopped');
    const reason = 'Mistyped';
    const restated = { payment_accounts: [{ ...right, verification }] };
    expect(await backend.correctOnboarding(id, { reason, counterparty: restated }, 'k1')).toMatchObject({
      status: 409,
      problem: { code: 'own_route_only' },
    });
    const { data: party } = await backend.counterparty(cp);
    const payment_account_uid = party?.payment_accounts[0]?.uid ?? '';
    await backend.correctAccount(cp, { ...right, payment_account_uid, reason }, 'k2');
    const next = await backend.untilOnboarding(id, ({ steps }) => steps[1]?.state === 'stopped');
    expect(next).toMatchObject({
      steps: [{ state: 'done' }, { step: 'agreement', resource: { state: 'other_account' } }, {}, {}],
      commands: [],
    });

    sandbox.control.scriptPayment(payment.uid, { simulate: 'insufficient_funds' });
    expect((await backend.correctOnboarding(id, { reason, agreement: onto(right) }, 'k3')).status).toBe(202);
    await backend.untilOnboarding(id, ({ steps }) => steps.at(-1)?.state === 'stopped');
    const [agreement] = sandbox.control.state().agreements.slice(-1);
    expect(agreement).toMatchObject({
      debtor: { payment_account_uid, account_identifier: right.account_identifier },
    });

    sandbox.control.scriptPayment(payment.uid, { simulate: 'auto_settle' });
    const creditor = {
      party_name: given.agreement.creditor?.party_name ?? '',
      account_identifier: { type: 'bban' as const, value: '200002-55550001' },
    };
    expect(await backend.retry(payment.uid, { creditor })).toMatchObject({ status: 202 });
    const { steps } = await backend.untilOnboarding(id, ({ state }) => state === 'done');
    expect(steps.at(-1)?.resource?.uid).toBe(payment.uid);
    const ofIt = sandbox.control.state().payments.filter(({ agreement_uid: of }) => of === agreement?.uid);
    expect(ofIt).toMatchObject([{ uid: payment.uid, state: 'settled' }]);
  });
});

test('concurrent onboardings register one client per ABN, and one with another legal name stops', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const australian_business_number = anAbn(connection);
    const of = (legal_name: string) => {
      const {
        client: { uid: _, ...client },
        ...rest
      } = anOnboarding(connection);
      return { ...rest, client: { ...client, legal_name, australian_business_number } };
    };
    const [one, same] = [of('Corner Gym Pty Ltd'), of('CORNER GYM PTY LTD')];
    await Promise.all([one, same].map((asked) => backend.onboard(asked)));
    const ofIt = () =>
      sandbox.control
        .state()
        .clients.filter((client) => client.australian_business_number === australian_business_number);
    const [registered] = await eventually(ofIt, ({ length }) => length > 0);
    sandbox.control.setClientService(registered?.id ?? '', 'payto', 'active');
    for (const { id } of [one, same]) await backend.untilOnboarding(id, ({ state }) => state === 'done');
    const other = of('Other Gym Pty Ltd');
    await backend.onboard(other);
    const stopped = await backend.untilOnboarding(other.id, ({ state }) => state === 'stopped');
    expect(stopped.steps[1]).toMatchObject({
      ...{ step: 'client', resource: { state: 'other' }, failure: { title: 'It differs at /legal_name.' } },
    });
    expect(ofIt()).toHaveLength(1);
  });
});

test('an onboarding with an unverified payer account stops before it creates anything at the provider', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend } = road;
    const before = countsAt(road);
    const about = (account_identifier: { type: 'bban' | 'alias_email'; value: string }) => {
      const asked = anOnboarding(connection);
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
      [{ type: 'bban', value: '200001-90000003' }, 'account_closed', 'correct'],
      [{ type: 'alias_email', value: 'unknown@payer.example' }, 'alias_unknown', 'PayID'],
    ] as const) {
      const asked = about(account);
      expect(await backend.onboard(asked)).toMatchObject({ status: 202 });
      const stopped = await backend.untilOnboarding(asked.id, ({ state }) => state === 'stopped');
      const [step, client] = stopped.steps;
      expect(step).toMatchObject({ step: 'counterparty', state: 'stopped', who_acts: 'caller' });
      expect(client).toMatchObject({ step: 'client', state: 'waiting', resource: null });
      expect((await backend.client(asked.client.uid)).status).toBe(404);
      const { data: party } = await backend.counterparty(step?.resource?.uid ?? '');
      expect(party?.payment_accounts[0]?.outcome?.outcome).toBe(outcome);
      expect(party?.attention[0]?.next).toContain(advice);
    }
    expect(countsAt(road)).toEqual(before);
  });
});
