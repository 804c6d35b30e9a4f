// add_identification: the client and the payment account that an agreement of an earlier version lacks.
import { expect, test } from 'vitest';
import {
  agreementOf,
  agreementPath,
  anAgreementIn,
  aRegisteredAccount,
  changesOf,
  LEGACY,
  SITUATIONS,
  verdict,
} from '../../support/sandbox/agreements.js';
import { callerWith, consent } from '../../support/sandbox/caller.js';
import { aPayToClient, aRegisteredClient } from '../../support/sandbox/clients.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aSharedWorld, aWorld, type World } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

/** A client registered with the very details of the account itself, which stand on an agreement without a client. */
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

test('both are added at once, and answered and kept on the agreement', async () => {
  const world = await aWorld();
  const uid = await aLegacyAgreement(world);
  const [clientId, accountUid] = [await aPayToClient(world, SAME), await aRegisteredAccount(world)];
  const answer = await add(world, uid, { ...client(clientId), ...account(accountUid) });
  expect(answer.status).toBe(200);
  const expected = { initiator: { client_id: clientId }, debtor: { payment_account_uid: accountUid } };
  expect(answer.data).toMatchObject({ uid, state: 'active', ...expected });
  expect(await agreementOf(world, uid)).toMatchObject(expected);
  expect(changesOf(world, 'payto_agreement_identification')).toEqual([[null, 'added', null]]);
});

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

test('a client without the PayTo service is ZCLT05, an unknown one ZPUNP00', async () => {
  const world = theWorld();
  const uid = await aLegacyAgreement(world);
  const without = await aPayToClient(world, { ...SAME, services: ['rtp'] });
  expect(verdict(await add(world, uid, client(without)))).toBe('ZCLT05');
  expect(verdict(await add(world, uid, client(await aRegisteredClient(world, SAME))))).toBe('ZCLT05');
  expect(verdict(await add(world, uid, client('nobody')))).toBe('ZPUNP00');
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

test.each([
  [{}, 'ZPUNP00'],
  [{ initiator: {} }, 'ZPUNP00'],
  [{ initiator: { client_id: '' } }, 'ZPUNP00'],
  [{ initiator: { client_id: 'c', name: 'N' } }, 400],
  [{ creditor: { payment_account_uid: 'a' } }, 400],
])('%o is refused, %s', async (body, expected) => {
  const world = theWorld();
  expect(verdict(await add(world, await aLegacyAgreement(world), body))).toBe(expected);
});

test.each(['20260101', '20250101'])('version %s does not have it', async (version) => {
  const world = theWorld();
  const uid = await aLegacyAgreement(world);
  const answer = await add(world, uid, account('a'), { 'Service-API-Version': version });
  expect(answer.status).toBe(404);
  expect(answer.errors[0]?.detail).toContain(version);
});

test('it is 404 for an agreement nobody made, and needs the scope of agreements', async () => {
  const world = theWorld();
  expect(verdict(await add(world, 'none', account('a')))).toBe(404);
  const caller = callerWith(world.url, (await consent(world.url, 'clients')).access);
  expect(verdict(await add({ ...world, caller }, 'none', account('a')))).toBe(403);
});
