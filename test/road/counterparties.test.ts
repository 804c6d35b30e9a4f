// A counterparty is sent once, and only with a verified account.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { counterpartyWorkflowId } from '../../workflows/counterparty/contract.js';
import { overHttp, providerOf } from '../support/over-http.js';
import { anAgreement, type HttpStack } from '../support/http-stack.js';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();

const aParty = (connection: string, value: string) => ({
  uid: `cp-${randomUUID()}`,
  connection,
  payment_accounts: [
    {
      account_identifier: { type: 'bban' as const, value },
      party_name: 'Ada Payer',
      verification: { method: 'account_validation' as const },
    },
  ],
});
const callsOf = ({ sandbox }: HttpStack, operation: string) =>
  sandbox.control.ledger().filter((entry) => entry.kind === 'call' && entry.operation === operation).length;
const partiesAt = ({ sandbox }: HttpStack) => sandbox.control.state().counterparties;

test('a counterparty waits for a verified account and is then sent once despite lost answers', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const requested = aParty(connection, '200001-90000002');
    const { uid } = requested;
    expect(await backend.party(requested)).toMatchObject({ status: 202 });
    const stopped = await backend.untilCounterparty(uid, ({ state }) => state === 'unverified');
    expect(stopped).toMatchObject({
      payment_accounts: [{ is_cleared: false, outcome: { outcome: 'no_match' } }],
      attention: [{ code: 'parked' }],
    });
    expect(callsOf(http, 'create_counterparty')).toBe(0);

    sandbox.control.addFault({ on: 'validate_account', do: 'cut_after_commit', times: 1 });
    sandbox.control.addFault({ on: 'create_counterparty', do: 'cut_after_commit', times: 1 });
    const payment_account_uid = stopped.payment_accounts[0]?.uid ?? '';
    const right = { type: 'bban' as const, value: '200001-90000001' };
    const correction = { payment_account_uid, account_identifier: right, reason: 'they told us' };
    for (const key of ['k1', 'k1'])
      expect(await backend.correctAccount(uid, correction, key)).toMatchObject({ status: 202 });
    const close = await eventually(
      async () => {
        await skipTime(temporal.client, counterpartyWorkflowId(uid));
        return (await backend.counterparty(uid)).data;
      },
      (seen) => seen?.payment_accounts[0]?.outcome?.outcome === 'close_match',
    );
    expect(close).toMatchObject({ state: 'unverified', payment_accounts: [{ tries: 3 }] });
    expect(close?.payment_accounts[0]?.outcome?.account_name).toContain('Ada Payer');

    await backend.acceptCloseMatch(uid, { payment_account_uid, reason: 'it is theirs' }, 'k2');
    const parked = await backend.untilCounterparty(uid, ({ state }) => state === 'requested');
    await backend.untilCounterparty(uid, ({ attention }) => attention.some(({ code }) => code === 'parked'));
    expect(parked.payment_accounts[0]?.uid).toBe(payment_account_uid);
    await backend.resolveParked(uid, { decision: 'adopt', reason: 'the provider has it' }, 'k3');
    await backend.untilCounterparty(uid, ({ state }) => state === 'registered');
    expect((await backend.party(requested)).data).toMatchObject({ state: 'registered', adopted: true });
    expect(callsOf(http, 'create_counterparty')).toBe(1);
    expect(partiesAt(http).map((one) => one.payment_account_uids)).toEqual([[payment_account_uid]]);

    const debtor = { party_name: 'Ada Payer', payment_account_uid };
    const agreement = anAgreement(undefined, { connection, debtor });

    expect(await backend.create(agreement)).toMatchObject({ data: { state: 'active' } });
  });
});

test('a refused counterparty shows the reason and waits for an operator’s decision', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, issued } = http;
    const requested = aParty(connection, '200001-90000003');
    await backend.party(requested);
    const { uid } = requested;
    const stopped = await backend.untilCounterparty(uid, ({ state }) => state === 'unverified');
    const payment_account_uid = stopped.payment_accounts[0]?.uid ?? '';
    const account_identifier = { type: 'bban' as const, value: '200001-12340001' };
    const payment_accounts = [{ uid: payment_account_uid, account_identifier }];
    await providerOf(http).createCounterparty(
      { payment_accounts },
      { accessToken: issued[0] ?? '', connectionId: connection },
    );
    await backend.correctAccount(uid, { payment_account_uid, account_identifier, reason: 'told' }, 'k1');
    await backend.untilCounterparty(uid, ({ state }) => state === 'refused');
    await backend.resolveParked(uid, { decision: 'adopt', reason: 'the provider has it' }, 'k2');
    const there = await backend.untilCounterparty(uid, ({ state }) => state === 'registered');
    expect(there).toMatchObject({ adopted: true, counterparty_id: null, attention: [] });
    expect(partiesAt(http)).toHaveLength(1);

    const { control } = http.sandbox;
    control.setMerchantCategory(control.state().clients[0]?.id ?? '', '7995');
    const refused = aParty(connection, '200001-12340002');
    await backend.party(refused);
    const failed = await backend.untilCounterparty(refused.uid, ({ state }) => state === 'refused');
    expect(failed.failure?.code).toBe('ZPUNP00');
    expect(partiesAt(http)).toHaveLength(1);
  });
});
