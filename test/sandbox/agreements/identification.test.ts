import { expect, test } from 'vitest';
import {
  agreementOf,
  agreementPath,
  aRegisteredAccount,
  LEGACY,
  verdict,
} from '../../support/sandbox/agreements.js';
import { aPayToClient } from '../../support/sandbox/clients.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aWorld } from '../../support/sandbox/world.js';

const SAME = {
  legal_name: 'Sandbox Biller Pty Ltd',
  business_names: ['Sandbox Biller'],
  australian_business_number: '53004085616',
  australian_company_number: '004085616',
};
const client = (client_id: string) => ({ initiator: { client_id } });
const account = (payment_account_uid: string) => ({ debtor: { payment_account_uid } });

test('identifiers are added separately, once, and only if all of a request are right', async () => {
  const world = await aWorld();
  const { uid, ...request } = anAgreement({ initiator: { abn: '53004085616' } });
  await world.caller.post('/payto/agreements', { uid, ...request }, LEGACY);
  await world.control.advance(1);
  const add = async (body: object) =>
    verdict(await world.caller.post(agreementPath(uid, 'add_identification'), body));
  const [mine, other] = [await aPayToClient(world, SAME), await aPayToClient(world, SAME)];
  const [debtors, again] = [await aRegisteredAccount(world), await aRegisteredAccount(world)];
  for (const wrong of [await aRegisteredAccount(world, '200001-12340002'), 'none'])
    expect(await add({ ...client(mine), ...account(wrong) })).toBe('ZPUNP00');
  expect(await agreementOf(world, uid)).toMatchObject({ initiator: { client_id: null } });
  expect([await add(client(mine)), await add(account(debtors))]).toEqual([200, 200]);
  for (const repeated of [client(mine), client(other), account(debtors), account(again)])
    expect(await add(repeated)).toBe('ZPUNP00');
  expect(await agreementOf(world, uid)).toMatchObject({ initiator: { client_id: mine } });
});
