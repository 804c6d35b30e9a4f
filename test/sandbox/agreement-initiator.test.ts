// Who initiates an agreement and which registered accounts its parties have, in each version of the API.
import { describe, expect, test } from 'vitest';
import { agreementOf, aRegisteredAccount, LEGACY, VERSION, verdict } from './agreement-requests.js';
import { aPayToClient, aRegisteredClient } from './client-requests.js';
import { anAgreement } from './requests.js';
import { aWorld, type World } from './world.js';

const PRIMARY = {
  name: 'Sandbox Biller',
  legal_name: 'Sandbox Biller Pty Ltd',
  abn: '53004085616',
  acn: '004085616',
};
const create = ({ caller }: World, overrides: object, version = '20260901') =>
  caller.post('/payto/agreements', anAgreement(overrides), { [VERSION]: version });

describe('before 20260901', () => {
  test.each([
    [{ name: 'B Biller', abn: '53004085616' }, 201],
    [{ acn: '004085616' }, 201],
    [null, 201],
    [{ name: 'B Biller' }, 'ZPAGR18'],
    [{ abn: '53004085616', acn: '004085616' }, 'ZPAGR18'],
    [{ abn: '530040856' }, 'ZPUNP00'],
    [{ abn: '53004085616', client_id: '0195' }, 400],
  ])('an initiator %o is %s', async (initiator, expected) => {
    const world = await aWorld();
    for (const version of ['20260101', '20250101']) {
      expect(verdict(await create(world, { initiator }, version))).toBe(expected);
    }
  });

  test('what is said of the initiator is ignored, and answers know no client_id', async () => {
    const world = await aWorld();
    const { data } = await create(world, { initiator: { name: 'Other', abn: '11222333444' } }, '20260101');
    expect(data['initiator']).toEqual(PRIMARY);
    expect((await agreementOf(world, data.uid ?? ''))['initiator']).toEqual({ ...PRIMARY, client_id: null });
  });

  test.each(['debtor', 'creditor'])('a payment_account_uid of the %s is 400', async (role) => {
    const world = await aWorld();
    const request = anAgreement();
    const party = role === 'debtor' ? request.debtor : request.creditor;
    const answer = await create(world, { [role]: { ...party, payment_account_uid: 'acc' } }, '20260101');
    expect(answer.errors[0]?.detail).toMatch(/payment_account_uid.*20260101/);
  });
});

describe('from 20260901 on', () => {
  test.each(['abn', 'acn', 'legal_name'])('initiator.%s is 400, naming field and version', async (field) => {
    const world = await aWorld();
    const answer = await create(world, { initiator: { [field]: '53004085616' } });
    expect(answer).toMatchObject({ status: 400, errors: [{ title: 'Validation Failed' }] });
    expect(answer.errors[0]?.detail).toMatch(new RegExp(`initiator\\.${field}.*20260901`));
  });

  test('without one it is the primary client, whose client_id is null', async () => {
    const { data } = await create(await aWorld(), {});
    expect(data['initiator']).toEqual({ ...PRIMARY, client_id: null });
  });

  test('a registered client stands there as it is registered, in lists too; earlier versions leave out its id', async () => {
    const world = await aWorld();
    const client_id = await aPayToClient(world);
    const { data } = await create(world, { initiator: { client_id, name: 'Gym on the Corner' } });
    const initiator = {
      name: 'Gym on the Corner',
      legal_name: 'Corner Gym Pty Ltd',
      abn: '11222333444',
      acn: '222333444',
    };
    expect(data['initiator']).toEqual({ ...initiator, client_id });
    const { list } = await world.caller.get(
      '/payto/agreements?initiator_name=Gym%20on%20the%20Corner',
      LEGACY,
    );
    expect(list).toMatchObject([{ uid: data.uid, initiator }]);
    expect(list[0]?.['initiator']).not.toHaveProperty('client_id');
  });

  test.each([
    ['is not registered', async () => Promise.resolve('nobody'), 'ZPUNP00'],
    ['has its service still pending', (world: World) => aRegisteredClient(world), 'ZCLT05'],
    ['was made without the service', (world: World) => aPayToClient(world, { services: ['rtp'] }), 'ZCLT05'],
    [
      'has neither ABN nor ACN',
      (world: World) =>
        aPayToClient(world, { australian_business_number: undefined, australian_company_number: undefined }),
      'ZPAGR01',
    ],
  ] as const)('a client that %s is refused', async (_, register, code) => {
    const world = await aWorld();
    const client_id = await register(world);
    expect(verdict(await create(world, { initiator: { client_id } }))).toBe(code);
  });

  test('a name that the client does not have is refused', async () => {
    const world = await aWorld();
    const client_id = await aPayToClient(world);
    expect(verdict(await create(world, { initiator: { client_id, name: 'Corner Bar' } }))).toBe('ZPUNP00');
    expect(verdict(await create(world, { initiator: { name: 'Corner Gym' } }))).toBe('ZPUNP00');
  });
});

describe('a party with a registered account', () => {
  const OTHER = { type: 'bban', value: '200001-42' };

  test.each(['debtor', 'creditor'] as const)('a %s needs no account of its own beside it', async (role) => {
    const world = await aWorld();
    const payment_account_uid = await aRegisteredAccount(world, OTHER.value);
    const party = { party_name: 'P', ultimate_party_name: 'P' };
    const { data } = await create(world, { [role]: { ...party, payment_account_uid } });
    expect(data[role]).toEqual({ ...party, account_identifier: OTHER, payment_account_uid });
    const { data: legacy } = await world.caller.get(`/payto/agreements/${data.uid}`, LEGACY);
    expect(legacy[role]).toEqual({ ...party, account_identifier: OTHER });
  });

  test('may give both, when they are the same', async () => {
    const world = await aWorld();
    const debtor = { party_name: 'P', payment_account_uid: await aRegisteredAccount(world, OTHER.value) };
    expect(verdict(await create(world, { debtor: { ...debtor, account_identifier: OTHER } }))).toBe(201);
    const different = { ...debtor, account_identifier: { type: 'bban', value: '200001-43' } };
    expect(verdict(await create(world, { debtor: different }))).toBe('ZPUNP00');
  });

  test('is refused where nobody has registered it, and where nobody could pay from it', async () => {
    const world = await aWorld();
    const debtorAt = (payment_account_uid: string) => ({ debtor: { party_name: 'P', payment_account_uid } });
    expect(verdict(await create(world, debtorAt('none')))).toBe('ZPUNP00');
    const withoutPayTo = await aRegisteredAccount(world, '100001-42');
    expect(verdict(await create(world, debtorAt(withoutPayTo)))).toBe('ZPUNP01');
  });
});
