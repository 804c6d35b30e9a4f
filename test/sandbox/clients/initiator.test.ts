import { expect, test, describe } from 'vitest';
import { clientMatches, clientToIdentify, initiatorFor } from '../../../sandbox/clients/initiator.js';
import { setService } from '../../../sandbox/clients/services.js';
import { SandboxConfig } from '../../../sandbox/config.js';
import { createEngine } from '../../../sandbox/engine/parts.js';
import { Client, type ServiceStatus } from '../../../sandbox/store/client.schema.js';
import { aRegisteredAccount, LEGACY, VERSION, verdict } from '../../support/sandbox/agreements.js';
import { aClient } from '../../support/sandbox/clients.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aSharedWorld, type World } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

describe('who may initiate an agreement and as whom: by the records of clients alone', () => {
  const PRIMARY = {
    name: 'Sandbox Biller',
    legal_name: 'Sandbox Biller Pty Ltd',
    abn: '53004085616',
    acn: '004085616',
    client_id: null,
  };
  const GYM = {
    name: 'Corner Gym',
    legal_name: 'Corner Gym Pty Ltd',
    abn: '11222333444',
    acn: '222333444',
    client_id: 'gym',
  };

  function anEngine(overrides: object = {}, payto: ServiceStatus | null = 'active') {
    const engine = createEngine({ ...SandboxConfig.parse({}), baseUrl: 'http://sandbox' });
    const services = { payto, rtp: null, de: null };
    const fields = { ...aClient(overrides), services, contact_information: null, risk_level: 'low' };
    engine.store.clients.set('gym', Client.parse({ id: 'gym', ...fields }));
    return engine;
  }

  const refusal = (code: string): unknown =>
    expect.objectContaining({ status: 422, errors: [expect.objectContaining({ code })] });

  test.each([undefined, null, {}, { name: null, client_id: null }])(
    'asked as %o it is the account',
    (asked) => {
      expect(initiatorFor(anEngine(), asked)).toEqual(PRIMARY);
    },
  );

  test.each([
    [{ client_id: 'gym' }, GYM],
    [
      { client_id: 'gym', name: 'Gym on the Corner' },
      { ...GYM, name: 'Gym on the Corner' },
    ],
    [
      { client_id: 'gym', name: 'Corner Gym Pty Ltd' },
      { ...GYM, name: 'Corner Gym Pty Ltd' },
    ],
    [{ name: 'Sandbox Biller Pty Ltd' }, { ...PRIMARY, name: 'Sandbox Biller Pty Ltd' }],
  ])('%o is initiated by the client as it is registered', (asked, initiator) => {
    expect(initiatorFor(anEngine(), asked)).toEqual(initiator);
  });

  test('a client without business names goes by its legal name, and one number is enough', () => {
    const engine = anEngine({ business_names: [], australian_business_number: null });
    expect(initiatorFor(engine, { client_id: 'gym' })).toEqual({ ...GYM, name: GYM.legal_name, abn: null });
  });

  test.each([
    [{ client_id: 'nobody' }, {}, 'ZPUNP00'],
    [{ client_id: 'primary' }, {}, 'ZPUNP00'],
    [{ client_id: '__proto__' }, {}, 'ZPUNP00'],
    [{ client_id: 'gym', name: 'Another Gym' }, {}, 'ZPUNP00'],
    [{ client_id: 'gym', name: 'corner gym' }, {}, 'ZPUNP00'],
    [{ client_id: 'gym', name: 'Sandbox Biller' }, {}, 'ZPUNP00'],
    [{ name: 'Corner Gym' }, {}, 'ZPUNP00'],
    [{ client_id: 'gym' }, { australian_business_number: null, australian_company_number: null }, 'ZPAGR01'],
  ])('%o of a client with %o is refused with %s', (asked, overrides, code) => {
    const engine = anEngine(overrides);
    expect(() => initiatorFor(engine, asked)).toThrow(refusal(code));
  });

  const WITHOUT_PAYTO = [null, 'pending', 'suspended', 'off_boarded'] as const;

  test.each(WITHOUT_PAYTO)('ZCLT05 comes first while PayTo is %s', (status) => {
    const engine = anEngine({ australian_business_number: null, australian_company_number: null }, status);
    expect(() => initiatorFor(engine, { client_id: 'gym', name: 'Another Gym' })).toThrow(refusal('ZCLT05'));
  });

  test.each(WITHOUT_PAYTO)('no agreement that exists is given to a client whose PayTo is %s', (status) => {
    expect(() => clientToIdentify(anEngine({}, status), 'gym')).toThrow(refusal('ZCLT05'));
  });

  test('an agreement that exists is given to a client although the one above it is suspended', () => {
    const engine = anEngine();
    setService(engine, 'primary', 'payto', 'suspended');
    expect(clientToIdentify(engine, 'gym').id).toBe('gym');
    expect(() => clientToIdentify(engine, 'nobody')).toThrow(refusal('ZPUNP00'));
  });

  test.each([
    [{}, true],
    [{ name: 'Corner Gym Pty Ltd' }, true],
    [{ name: 'Sandbox Biller' }, false],
    [{ legal_name: 'CORNER GYM PTY LTD' }, false],
    [{ abn: '53004085616' }, false],
    [{ abn: null }, false],
    [{ acn: '004085616' }, false],
  ])('the initiator on the agreement with %o fits the client: %s', (overrides, fits) => {
    expect(clientMatches(anEngine(), 'gym', { ...GYM, client_id: null, ...overrides })).toBe(fits);
  });

  test('a client that is not registered fits nothing', () => {
    expect(clientMatches(anEngine(), 'primary', PRIMARY)).toBe(false);
  });
});

describe('the parties of an agreement', () => {
  const create = ({ caller }: World, overrides: object, version = '20260901') =>
    caller.post('/payto/agreements', anAgreement(overrides), { [VERSION]: version });

  describe('a party with a registered account', () => {
    const OTHER = { type: 'bban', value: '200001-42' };

    test.each(['debtor', 'creditor'] as const)('a %s needs no account of its own beside it', async (role) => {
      const world = theWorld();
      const payment_account_uid = await aRegisteredAccount(world, OTHER.value);
      const party = { party_name: 'P', ultimate_party_name: 'P' };
      const { data } = await create(world, { [role]: { ...party, payment_account_uid } });
      expect(data[role]).toEqual({ ...party, account_identifier: OTHER, payment_account_uid });
      const { data: legacy } = await world.caller.get(`/payto/agreements/${data.uid}`, LEGACY);
      expect(legacy[role]).toEqual({ ...party, account_identifier: OTHER });
    });

    test('may give both, when they are the same', async () => {
      const world = theWorld();
      const debtor = { party_name: 'P', payment_account_uid: await aRegisteredAccount(world, OTHER.value) };
      expect(verdict(await create(world, { debtor: { ...debtor, account_identifier: OTHER } }))).toBe(201);
      const different = { ...debtor, account_identifier: { type: 'bban', value: '200001-43' } };
      expect(verdict(await create(world, { debtor: different }))).toBe('ZPUNP00');
    });

    test('is refused where nobody has registered it, and where nobody could pay from it', async () => {
      const world = theWorld();
      const debtorAt = (payment_account_uid: string) => ({
        debtor: { party_name: 'P', payment_account_uid },
      });
      expect(verdict(await create(world, debtorAt('none')))).toBe('ZPUNP00');
      const withoutPayTo = await aRegisteredAccount(world, '100001-42');
      expect(verdict(await create(world, debtorAt(withoutPayTo)))).toBe('ZPUNP01');
    });
  });
});
