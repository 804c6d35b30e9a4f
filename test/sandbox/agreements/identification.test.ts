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
import { aSharedWorld, type World } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const SAME = {
  legal_name: 'Sandbox Biller Pty Ltd',
  business_names: ['Sandbox Biller'],
  australian_business_number: '53004085616',
  australian_company_number: '004085616',
};
const add = ({ caller }: World, uid: string, body: object, headers = {}) =>
  caller.post(agreementPath(uid, 'add_identification'), body, headers);
const client = (client_id: string) => ({ initiator: { client_id } });
const account = (payment_account_uid: string) => ({ debtor: { payment_account_uid } });

async function aLegacyAgreement({ caller, control }: World): Promise<string> {
  const request = anAgreement({ initiator: { abn: '53004085616' } });
  await caller.post('/payto/agreements', request, LEGACY);
  await control.advance(1);
  return request.uid;
}

test('identifiers may be added separately, but only once', async () => {
  const world = theWorld();
  const uid = await aLegacyAgreement(world);
  const [clientId, accountUid] = [await aPayToClient(world, SAME), await aRegisteredAccount(world)];
  expect(verdict(await add(world, uid, client(clientId)))).toBe(200);
  expect(verdict(await add(world, uid, account(accountUid)))).toBe(200);
  const other = await aPayToClient(world, SAME);
  for (const again of [
    client(clientId),
    client(other),
    account(accountUid),
    account(await aRegisteredAccount(world)),
  ]) {
    expect(verdict(await add(world, uid, again))).toBe('ZPUNP00');
  }
  expect(await agreementOf(world, uid)).toMatchObject({ initiator: { client_id: clientId } });
});

test('an account other than the debtor’s refuses the whole request', async () => {
  const world = theWorld();
  const uid = await aLegacyAgreement(world);
  const clientId = await aPayToClient(world, SAME);
  for (const wrong of [await aRegisteredAccount(world, '200001-12340002'), 'none']) {
    expect(verdict(await add(world, uid, { ...client(clientId), ...account(wrong) }))).toBe('ZPUNP00');
  }
  expect(await agreementOf(world, uid)).toMatchObject({ initiator: { client_id: null } });
});
