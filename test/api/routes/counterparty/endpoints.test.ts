import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { KEYS, anApi, get, post } from '../../../support/api/app.js';
import { aClientView, aCounterpartyView, problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

const ACCOUNT = { account_identifier: { type: 'bban', value: '200001-12340001' }, party_name: 'Ada Payer' };
const VERIFIED = { ...ACCOUNT, verification: { method: 'account_validation' } };
const body = (over: object = {}) => ({ uid: 'cp-1', payment_accounts: [VERIFIED], ...over });
const Answered = z.object({
  data: z.object({ uid: z.string(), payment_accounts: z.array(z.looseObject({ uid: z.string() })) }),
});

describe('POST /v1/counterparties', () => {
  test.each<[object, string]>([
    [{ payment_accounts: [] }, '/payment_accounts'],
    [{ payment_accounts: [{ ...ACCOUNT, uid: 'mine' }] }, '/payment_accounts/0/uid'],
    [{ identity: { legal_name: 'Ada' } }, '/identity/verification'],
    [
      { payment_accounts: [{ ...ACCOUNT, verification: { method: 'a_look' } }] },
      '/payment_accounts/0/verification/method',
    ],
    [
      { payment_accounts: [{ ...ACCOUNT, verification: { method: 'third_party_provider' } }] },
      '/payment_accounts/0/verification/reference',
    ],
    [{ payer: { requester_id: 'me' } }, '/payer/remote_ip'],
  ])('refuses %j with a pointer to %s', async (over, pointer) => {
    const problem = await problemIn(await post(refusing, '/v1/counterparties', body(over)));
    expect(problem).toMatchObject({ code: 'invalid_request' });
    expect(problem.errors.map((error) => error.pointer)).toContain(pointer);
    expect(refusing.door.counterparties.start).not.toHaveBeenCalled();
  });

  test('refuses a PayID without a payer, because the look-up needs one', async () => {
    const payment_accounts = [{ account_identifier: { type: 'alias_email', value: 'ada@example.com' } }];
    expect(
      await problemIn(await post(refusing, '/v1/counterparties', body({ payment_accounts }))),
    ).toMatchObject({ status: 422, code: 'provider_would_refuse', pointers: ['/payer'] });
  });

  test('needs an identity and verified accounts for a high-risk client', async () => {
    const api = anApi();
    const client = aClientView();
    const order = { ...client.order, merchant_category_code: '7995' };
    api.door.initiators.client.mockResolvedValue({ ...client, order, particulars: undefined });
    const asked = body({ client_id: 'cl-1', payment_accounts: [ACCOUNT] });
    expect(await problemIn(await post(api, '/v1/counterparties', asked))).toMatchObject({
      status: 422,
      pointers: ['/identity', '/payment_accounts/0/verification'],
    });
    expect(api.door.counterparties.start).not.toHaveBeenCalled();
    expect((await post(api, '/v1/counterparties', { ...asked, client_id: undefined })).status).toBe(202);
  });

  test('is refused if the provider version has no counterparties', async () => {
    const api = anApi({ version: '20260101' });
    const problem = await problemIn(await post(api, '/v1/counterparties', body()));
    expect(problem).toMatchObject({ status: 422, code: 'provider_would_refuse' });
    expect(problem.errors[0]?.detail).toContain('20260901');
    expect(api.door.counterparties.start).not.toHaveBeenCalled();
  });

  test('derives stable uids from the connection and Idempotency-Key, also for accounts', async () => {
    const uidsFor = async (asked: object, key = 'k1'): Promise<string[]> => {
      const answer = await post(anApi(), '/v1/counterparties', asked, { 'Idempotency-Key': key });
      const { uid, payment_accounts } = Answered.parse(await answer.json()).data;
      return [uid, ...payment_accounts.map((account) => account.uid)];
    };
    const asked = body({
      uid: undefined,
      connection: 'acme',
      payment_accounts: [VERIFIED, { account_identifier: { type: 'bban', value: '200001-2' } }],
    });
    const first = await uidsFor(asked);
    expect(new Set(first).size).toBe(3);
    expect(await uidsFor(asked)).toEqual(first);
    for (const others of [await uidsFor(asked, 'k2'), await uidsFor({ ...asked, connection: 'other' })])
      expect(others.filter((uid) => first.includes(uid))).toEqual([]);
  });
});

test.each([
  [KEYS.read, null],
  [KEYS.all, 'ADA PAYER'],
] as const)('only operators see the account name (key %s)', async (key, name) => {
  const answer = await get(anApi(), '/v1/counterparties/cp-1', key);
  const { payment_accounts: accounts } = Answered.parse(await answer.json()).data;
  expect(accounts).toMatchObject([
    {
      account_identifier: { value: name === null ? '************001' : '200001-12340001' },
      outcome: { outcome: 'match', account_name: name },
    },
  ]);
});

describe('decision on a counterparty account', () => {
  const said = (path: string, sent: object, key: string = KEYS.all) => {
    const api = anApi();
    const headers = { 'Idempotency-Key': 'k1', authorization: `Bearer ${key}` };
    return { api, answer: post(api, `/v1/counterparties/cp-1/${path}`, sent, headers) };
  };
  const onAccount = { payment_account_uid: 'acc-1', reason: 'asked them' };

  test('is passed on with its reason and principal', async () => {
    const { api, answer } = said('correction', { ...onAccount, party_name: 'Ada B Payer' });
    expect((await answer).status).toBe(202);
    expect(api.door.counterparties.change).toHaveBeenCalledWith(
      'cp-1',
      expect.objectContaining({
        ...{ kind: 'correction', accountUid: 'acc-1', reason: 'asked them', by: KEYS.all },
        to: { party_name: 'Ada B Payer' },
      }),
    );
  });

  test.each([
    ['correction', onAccount, KEYS.all, 400],
    ['correction', { ...onAccount, reason: undefined, party_name: 'A' }, KEYS.all, 400],
    ['acceptance', { ...onAccount, party_name: 'A' }, KEYS.all, 400],
    ['acceptance', onAccount, KEYS.operate, 202],
    ['withdrawal', { reason: 'not wanted' }, KEYS.write, 202],
    ['withdrawal', {}, KEYS.write, 400],
  ] as const)('%s of %j with key %s gets status %s', async (path, sent, key, status) => {
    expect((await said(path, sent, key).answer).status).toBe(status);
  });
});

test('a wait ends when the counterparty waits for a person', async () => {
  const api = anApi();
  const stopped = aCounterpartyView({ state: 'unverified', awaiting: { what: 'operator', since: 's' } });
  api.door.counterparties.view.mockResolvedValue(stopped);
  await get(api, '/v1/counterparties/cp-1?wait=20');
  expect(api.door.counterparties.view).toHaveBeenCalledTimes(1);
});
