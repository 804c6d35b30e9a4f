import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FLOAT_ID,
  bban,
  clientRequest,
  dayIn,
  instantIn,
  registeredClient,
} from '../support/payments-api/contract/requests.js';
import { startWorld } from '../support/payments-api/contract/world.js';
import type { World } from '../support/payments-api/contract/world.js';

let world: World;
let clientId: string;
beforeAll(async () => {
  world = await startWorld();
  clientId = await registeredClient(world, { business_names: ['B Biller'] });
});
afterAll(() => world.close());

interface Sample {
  line: string;
  body: object | undefined;
  status: number;
}

async function sends({ line, body, status }: Sample, say: () => Promise<unknown>): Promise<void> {
  await say();
  expect(world.wire.last()).toMatchObject({ line, status });
  expect(world.wire.last().sent).toEqual(body);
  await world.control.advance(1);
}

const UID = 'agr-2f9c';
const A = `/payto/agreements/${UID}`;
const stateOf = async (): Promise<string> => (await world.api.getAgreement(UID, world.call)).state;

describe('an agreement by the samples', () => {
  test('is created (docs/provider.md#agreements-creation)', async () => {
    const body = {
      uid: UID,
      purpose: 'utility',
      description: 'Plan 77',
      debtor: { party_name: 'A Payer', account_identifier: bban('200001-12340001') },
      creditor: {
        party_name: 'B Biller',
        ultimate_party_name: 'B Biller',
        account_identifier: bban('200002-55550001'),
      },
      initiator: { name: 'B Biller', client_id: clientId },
      payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 25_000, count: 1 },
      validity_start_date: dayIn(world, 0),
      validity_end_date: dayIn(world, 364),
      resolution_requested_before: instantIn(world, 2 * 24 * 60 * 60),
      cancel_if_unresolved: true,
      metadata: { order: '77' },
    };
    await sends({ line: 'POST /payto/agreements', body, status: 201 }, () =>
      world.api.createAgreement(body, world.call),
    );
    expect(await world.api.getAgreement(UID, world.call)).toMatchObject({
      state: 'active',
      mandate: { initiator: { client_id: clientId }, metadata: { order: '77' } },
    });
  });

  test('is paid under (docs/provider.md#payments-creation)', async () => {
    const body = {
      uid: 'pay-0001',
      agreement_uid: UID,
      amount: 4200,
      priority: 'unattended',
      reference: 'INV 5',
      description: 'October',
      creditor_reference: 'C-5',
    };
    await sends({ line: 'POST /payto/payments', body, status: 201 }, () =>
      world.api.createPayment(body, world.call),
    );
    expect(await world.api.getPayment('pay-0001', world.call)).toMatchObject({
      state: 'settled',
      order: { amount: 4200, creditor: { party_name: 'B Biller' } },
    });
  });

  test('has a part of it refunded (docs/provider.md#refunds)', async () => {
    const body = {
      uid: 'ref-1',
      original_payment_uid: 'pay-0001',
      refund_payment: {
        type: 'float_bank_payment' as const,
        float_bank_account_id: FLOAT_ID,
        amount: 100,
        description: 'REFUND part',
      },
    };
    await sends({ line: 'POST /payto/refunds', body, status: 201 }, () =>
      world.api.createRefund(body, world.call),
    );
    expect(await world.api.getRefund('ref-1', world.call)).toMatchObject({ state: 'processed' });
  });

  test('is suspended (docs/provider.md#agreements-actions)', async () => {
    const body = { reason: 'initiating_party_requested', narrative: 'text' };
    await sends({ line: `POST ${A}/suspension`, body, status: 202 }, () =>
      world.api.suspendAgreement(UID, body, world.call),
    );
    expect(await world.api.getAgreement(UID, world.call)).toMatchObject({
      state: 'suspended',
      causedBy: 'initiator',
      reason: { code: 'MD17' },
    });
  });

  test('is reactivated with an empty object (docs/provider.md#operations)', async () => {
    await sends({ line: `POST ${A}/reactivation`, body: {}, status: 202 }, () =>
      world.api.reactivateAgreement(UID, world.call),
    );
    expect(await stateOf()).toBe('active');
  });

  test('is amended (docs/provider.md#amendments)', async () => {
    const body = {
      changes: {
        description: 'New text',
        validity_end_date: dayIn(world, 480),
        payment_terms: { type: 'variable', amount: null, max_amount: 40_000 },
      },
      resolution_requested_before: instantIn(world, 24 * 60 * 60),
    };
    await sends({ line: `POST ${A}/amendment`, body, status: 202 }, () =>
      world.api.proposeAmendment(UID, body, world.call),
    );
    expect(await world.api.getAgreement(UID, world.call)).toMatchObject({
      mandate: {
        description: 'New text',
        validity_end_date: dayIn(world, 480),
        payment_terms: { frequency: 'monthly', count: 1, max_amount: 40_000, amount: null },
      },
    });
  });

  test('has an amendment recalled with an empty object (docs/provider.md#operations)', async () => {
    world.control.scriptAction(UID, { action: 'amendment', simulate: 'ignore' });
    const changes = { payment_terms: { max_amount: 50_000 } };
    await world.api.proposeAmendment(UID, { changes }, world.call);
    await world.control.advance(1);
    await sends({ line: `POST ${A}/amendment/recall`, body: {}, status: 202 }, () =>
      world.api.recallAmendment(UID, world.call),
    );
    const [recalled] = await world.api.getAgreementHistory(UID, world.call);
    expect(recalled).toMatchObject({ type: 'amendment_recalled' });
  });

  test('is cancelled (docs/provider.md#agreements-actions)', async () => {
    const body = { reason: 'initiating_party_requested', narrative: 'text' };
    await sends({ line: `POST ${A}/cancellation`, body, status: 202 }, () =>
      world.api.cancelAgreement(UID, body, world.call),
    );
    expect(await stateOf()).toBe('cancelled');
  });

  test('has all of it in its history, newest first', async () => {
    const facts = await world.api.getAgreementHistory(UID, world.call);
    expect(facts.map(({ type }) => type)).toEqual([
      'cancelled',
      'amendment_recalled',
      'amended',
      'reactivated',
      'suspended',
      'activated',
    ]);
  });
});

describe('the other samples', () => {
  test('identification, added to an agreement of an earlier version (docs/provider.md#identification)', async () => {
    const details = {
      legal_name: 'Sandbox Biller Pty Ltd',
      business_names: ['Sandbox Biller'],
      australian_business_number: '53004085616',
      australian_company_number: '004085616',
    };
    const client_id = await registeredClient(world, details);
    const debtor = { party_name: 'A Payer', account_identifier: bban('200001-12340002') };
    const terms = { type: 'variable', frequency: 'adhoc' };
    const request = { purpose: 'utility', description: 'Plan 77', debtor, payment_terms: terms };
    await world.on('20260101').createAgreement({ uid: 'agr-old', ...request }, world.call);
    const counterparty = { payment_accounts: [{ account_identifier: debtor.account_identifier }] };
    const { payment_accounts } = await world.api.createCounterparty(counterparty, world.call);
    const body = {
      initiator: { client_id },
      debtor: { payment_account_uid: payment_accounts?.[0]?.uid ?? '' },
    };
    const line = 'POST /payto/agreements/agr-old/add_identification';
    await sends({ line, body, status: 200 }, () => world.api.addIdentification('agr-old', body, world.call));
    expect(await world.api.getAgreement('agr-old', world.call)).toMatchObject({ mandate: body });
  });

  test('a retry is an empty object (docs/provider.md#operations)', async () => {
    const terms = { type: 'variable', frequency: 'adhoc' };
    const debtor = { party_name: 'A Payer', account_identifier: bban('200001-12340003') };
    const creditor = { party_name: 'B Biller', account_identifier: bban('200002-55550001') };
    const request = { purpose: 'utility', description: 'Plan 77', debtor, creditor, payment_terms: terms };
    await world.api.createAgreement({ uid: 'agr-retry', ...request }, world.call);
    await world.control.advance(1);
    world.control.scriptPayment('pay-retry', { simulate: 'insufficient_funds' });
    const said = { reference: 'INV 6', description: 'November', creditor_reference: 'C-6' };
    const order = { agreement_uid: 'agr-retry', amount: 4200, priority: 'attended', ...said };
    await world.api.createPayment({ uid: 'pay-retry', ...order }, world.call);
    await world.control.advance(1);
    world.control.scriptPayment('pay-retry', { simulate: 'auto_settle' });
    await sends({ line: 'POST /payto/payments/pay-retry/retry', body: {}, status: 202 }, () =>
      world.api.retryPayment('pay-retry', {}, world.call),
    );
    expect(await world.api.getPayment('pay-retry', world.call)).toMatchObject({ state: 'settled' });
  });

  test('an alias is resolved and an account validated (docs/provider.md#checks)', async () => {
    const alias = {
      type: 'alias_phone',
      value: '+61-400000000',
      requester: { id: 'user-7', remote_ip: '203.0.113.9' },
    };
    await sends({ line: 'POST /payto/alias_resolution', body: alias, status: 200 }, () =>
      world.api.resolveAlias(alias, world.call),
    );
    const validation = {
      uid: 'cop-1',
      account_identifier: bban('200001-12340001'),
      party_name: 'A Payer',
      requester: { id: 'user-7' },
    };
    await sends({ line: 'POST /cop/account/validate', body: validation, status: 200 }, () =>
      world.api.validateAccount(validation, world.call),
    );
  });

  test('a client is registered with the fields that are documented (docs/provider.md#clients)', async () => {
    const body = clientRequest({ parent_client_id: clientId, services: ['payto'] });
    world.control.setOrganisation({ deep_hierarchy: true });
    await sends({ line: 'POST /clients', body, status: 201 }, () => world.api.createClient(body, world.call));
    expect(world.wire.last().body).toMatchObject({ data: { parent_client_id: clientId } });
  });
});
