// What POST /counterparties takes, answers and refuses, and what becomes of the accounts.
import { expect, test } from 'vitest';
import { aCounterparty, aPaymentAccount, PAYER_ACCOUNT, THIRD_PARTY } from '../../support/sandbox/clients.js';
import { aSharedWorld, aWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const EMAIL = { type: 'alias_email', value: 'payer@example.com' };
const OWN = { provider_name: null, reference: null, verified_at: null };

test('a counterparty is 201 with its id, a uid for every account and what was said of them', async () => {
  const { caller } = theWorld();
  const verification = { ...THIRD_PARTY, verified_at: '2026-01-05T14:00:00+11:00' };
  const answer = await caller.post('/counterparties', {
    identity: { legal_name: 'A Payer', verification: THIRD_PARTY },
    payment_accounts: [
      aPaymentAccount({ verification: { method: 'account_validation', reference: 'cop-1' } }),
      aPaymentAccount({
        uid: 'mine',
        account_identifier: EMAIL,
        verification: { method: 'alias_resolution' },
      }),
      aPaymentAccount({ verification }),
      aPaymentAccount(),
    ],
  });
  expect(answer.status).toBe(201);
  const uid = expect.stringMatching(UUID) as unknown;
  expect(answer.data).toEqual({
    id: expect.stringMatching(UUID) as unknown,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
    identity: {
      legal_name: 'A Payer',
      verification: { ...THIRD_PARTY, verified_at: '2026-01-05T03:00:00.000Z' },
    },
    payment_accounts: [
      {
        uid,
        account_identifier: PAYER_ACCOUNT,
        verification: { ...OWN, method: 'account_validation', reference: 'cop-1' },
      },
      { uid: 'mine', account_identifier: EMAIL, verification: { ...OWN, method: 'alias_resolution' } },
      {
        uid,
        account_identifier: PAYER_ACCOUNT,
        verification: { ...THIRD_PARTY, verified_at: '2026-01-05T03:00:00.000Z' },
      },
      { uid, account_identifier: PAYER_ACCOUNT, verification: null },
    ],
  });
});

test('an account is all that an ordinary client has to give', async () => {
  const { caller } = theWorld();
  const { status, data } = await caller.post('/counterparties', { payment_accounts: [aPaymentAccount()] });
  expect([status, data['identity']]).toEqual([201, null]);
});

const withAccount = (overrides: object) => ({ payment_accounts: [aPaymentAccount(overrides)] });
const verifiedBy = (verification: object) => withAccount({ verification });
const identifiedBy = (verification: object) => ({ identity: { legal_name: 'A Payer', verification } });
const withoutReference = { ...THIRD_PARTY, reference: undefined };

test.each([
  [{ payment_accounts: undefined }, 'payment_accounts'],
  [{ payment_accounts: [] }, 'payment_accounts'],
  [
    withAccount({ account_identifier: { type: 'card', value: '4111' } }),
    'payment_accounts.0.account_identifier',
  ],
  [withAccount({ account_identifier: { type: 'bban', value: '1' } }), 'account_identifier.value'],
  [withAccount({ uid: 'not a uid' }), 'payment_accounts.0.uid'],
  [{ identity: { verification: THIRD_PARTY } }, 'identity.legal_name'],
  [{ identity: { legal_name: 'A Payer' } }, 'identity.verification'],
  [identifiedBy({ method: 'account_validation' }), 'identity.verification.method'],
  [identifiedBy(withoutReference), 'identity.verification.reference'],
  [identifiedBy({ ...THIRD_PARTY, verified_at: 'yesterday' }), 'identity.verification.verified_at'],
  [identifiedBy({ ...THIRD_PARTY, verified_at: '2999-01-01T00:00:00Z' }), 'verified_at'],
  [verifiedBy({ method: 'account_validation', verified_at: '2999-01-01T00:00:00Z' }), 'verified_at'],
  [verifiedBy({ method: 'a_hunch' }), 'payment_accounts.0.verification.method'],
  [verifiedBy(withoutReference), 'payment_accounts.0.verification.reference'],
  [verifiedBy({ method: 'alias_resolution' }), 'payment_accounts.0.verification.method'],
  [
    withAccount({ account_identifier: EMAIL, verification: { method: 'account_validation' } }),
    'payment_accounts.0.verification.method',
  ],
])('%o is 422 ZPUNP00 and keeps nothing', async (overrides, where) => {
  const { caller, control } = await aWorld();
  const answer = await caller.post('/counterparties', aCounterparty(overrides));
  expect([answer.status, answer.errors[0]?.code]).toEqual([422, 'ZPUNP00']);
  expect(answer.errors.map(({ detail }) => detail).join('; ')).toContain(where);
  expect(control.ledger().filter(({ kind }) => kind === 'change')).toEqual([]);
});

test.each([
  [{ name: 'A Payer' }, 'name'],
  [withAccount({ bank: 'Mine' }), 'payment_accounts.0.bank'],
  [identifiedBy({ ...THIRD_PARTY, score: 1 }), 'identity.verification.score'],
  [verifiedBy({ method: 'account_validation', provider_name: 'Me' }), 'verification.provider_name'],
])('%o is 400 and the detail names the field', async (overrides, field) => {
  const { caller } = theWorld();
  const answer = await caller.post('/counterparties', aCounterparty(overrides));
  expect(answer).toMatchObject({ status: 400, errors: [{ title: 'Validation Failed' }] });
  expect(answer.errors[0]?.detail).toContain(field);
});

test('a uid names one account for good', async () => {
  const { caller } = theWorld();
  const [first, second] = [aPaymentAccount({ uid: 'one' }), aPaymentAccount({ uid: 'two' })];
  const register = async (...payment_accounts: object[]) =>
    (await caller.post('/counterparties', { payment_accounts })).status;
  expect(await register(second, second)).toBe(422);
  expect(await register(first)).toBe(201);
  expect(await register(second, first)).toBe(422);
  expect(await register(second)).toBe(201);
});

test.each(['7995', '6051'])('category %s needs an identity and verified accounts', async (code) => {
  const { caller, control } = theWorld();
  control.setMerchantCategory('primary', code);
  const verified = verifiedBy(THIRD_PARTY);
  const details = [];
  for (const overrides of [{ ...verified, identity: undefined }, {}, verified]) {
    const { status, errors } = await caller.post('/counterparties', aCounterparty(overrides));
    details.push([status, errors[0]?.detail]);
  }
  expect(details).toEqual([
    [422, 'identity: is required of a high-risk client'],
    [422, 'payment_accounts.0.verification: is required of a high-risk client'],
    [201, undefined],
  ]);
  control.setMerchantCategory('primary', '4900');
  expect((await caller.post('/counterparties', { payment_accounts: [aPaymentAccount()] })).status).toBe(201);
});

test('nothing but creating is offered', async () => {
  const { caller } = theWorld();
  const { data } = await caller.post('/counterparties', aCounterparty());
  for (const path of ['/counterparties', `/counterparties/${data.id ?? ''}`]) {
    expect((await caller.get(path)).status).toBe(404);
  }
});
