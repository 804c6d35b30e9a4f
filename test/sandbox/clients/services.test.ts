import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, onTestFinished, describe } from 'vitest';
import { startSandbox } from '../../../sandbox/start.js';
import { callerWith, consent } from '../../support/sandbox/caller.js';
import {
  aRegisteredClient,
  aCounterparty,
  aPaymentAccount,
  aPayToClient,
  THIRD_PARTY,
} from '../../support/sandbox/clients.js';
import { anAliasLookup, aValidation, anAgreement } from '../../support/sandbox/requests.js';
import { aWorld } from '../../support/sandbox/world.js';

describe('clients and counterparties', () => {
  const verified = (uid: string) => aPaymentAccount({ uid, verification: THIRD_PARTY });

  test('the ledger contains no names, numbers, accounts or addresses', async () => {
    const world = await aWorld();
    await aPayToClient(world, { contact_information: { contact_name: 'Ann Able', phone: '+61 2 5550' } });
    await world.caller.post('/counterparties', aCounterparty());
    await world.caller.post('/payto/alias_resolution', anAliasLookup());
    await world.caller.post('/cop/account/validate', aValidation());
    const ledger = JSON.stringify(world.control.ledger());
    const personal = [
      'Corner Gym',
      '11222333444',
      'Ann Able',
      '5550',
      'A Payer',
      '12340001',
      'payer@',
      '192.0.2.7',
    ];
    for (const text of [...personal, 'user-7', 'IC-77']) expect(ledger).not.toContain(text);
  });

  test('clients, accounts, limits and uids survive a restart with pending services', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const options = { dataFile: join(directory, 'sandbox.json'), webhookUrl: 'http://127.0.0.1:1/' };
    const first = await startSandbox(options);
    const { access } = await consent(first.url);
    const before = callerWith(first.url, access);
    first.control.setLimits({ alias_lookups_per_requester_per_day: 1 });
    first.control.setMerchantCategory('primary', '7995');
    const id = await aRegisteredClient({ caller: before });
    await before.post('/counterparties', aCounterparty({ payment_accounts: [verified('kept')] }));
    const validation = aValidation();
    await before.post('/cop/account/validate', validation);
    await before.post('/payto/alias_resolution', anAliasLookup());
    await first.close();

    const second = await startSandbox(options);
    onTestFinished(() => second.close());
    const after = callerWith(second.url, access);
    expect((await after.get(`/clients/${id}`)).data['services']).toMatchObject({ payto: 'pending' });
    await second.control.advance(60);
    expect((await after.get(`/clients/${id}`)).data['services']).toMatchObject({ payto: 'active' });
    const unverified = { payment_accounts: [aPaymentAccount()] };
    const taken = aCounterparty({ payment_accounts: [verified('kept')] });
    const repeated = [
      await after.post('/counterparties', unverified),
      await after.post('/counterparties', taken),
      await after.post('/cop/account/validate', validation),
      await after.post('/payto/alias_resolution', anAliasLookup()),
    ];
    expect(repeated.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    const initiated = await after.post('/payto/agreements', anAgreement({ initiator: { client_id: id } }));
    expect([initiated.status, initiated.data['initiator']]).toMatchObject([201, { abn: '11222333444' }]);
  });
});
