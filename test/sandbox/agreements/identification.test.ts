import { expect, test } from 'vitest';
import {
  agreementOf,
  agreementPath,
  anAgreementIn,
  aRegisteredAccount,
  LEGACY,
  SITUATIONS,
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

test('one may be added after the other, but each once only and never changed', async () => {
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

test.each(SITUATIONS)('an agreement %s', async (situation) => {
  const world = theWorld();
  const uid = await anAgreementIn(world, situation);
  const isFinal = ['declined', 'expired', 'cancelled', 'failed'].includes(situation);
  const answer = await add(world, uid, account(await aRegisteredAccount(world)));
  expect(verdict(answer)).toBe(isFinal ? 'ZPUNP00' : 200);
  if (isFinal) expect(answer.errors[0]?.detail).toContain('final');
});

test.each([
  [{ legal_name: 'Sandbox Biller Limited' }],
  [{ australian_business_number: '53004085617' }],
  [{ australian_company_number: '004085617' }],
  [{ australian_company_number: undefined }],
])('a client registered with %o is not the initiator on the agreement', async (overrides) => {
  const world = theWorld();
  const uid = await aLegacyAgreement(world);
  const clientId = await aPayToClient(world, { ...SAME, ...overrides });
  const answer = await add(world, uid, client(clientId));
  expect(verdict(answer)).toBe('ZPUNP00');
  expect(answer.errors[0]?.detail).toContain('registered details');
});

test('an account that is not the debtor’s is refused, and with it all that was asked for', async () => {
  const world = theWorld();
  const uid = await aLegacyAgreement(world);
  const clientId = await aPayToClient(world, SAME);
  for (const wrong of [await aRegisteredAccount(world, '200001-12340002'), 'none']) {
    expect(verdict(await add(world, uid, { ...client(clientId), ...account(wrong) }))).toBe('ZPUNP00');
  }
  expect(await agreementOf(world, uid)).toMatchObject({ initiator: { client_id: null } });
});
