import { describe, expect, test } from 'vitest';
import {
  initiationOf,
  paymentAccountsOf,
  refusalsOfInitiation,
} from '../../../domain/client/may-initiate.js';
import type { Initiating, PaymentAccount } from '../../../domain/client/may-initiate.js';
import type { FoundClient } from '../../../domain/client/lifecycle.js';
import { aClientOrder, anAccountOrder } from '../../support/workflows/provider.js';

const CLIENT: FoundClient = { uid: 'u1', state: 'active', connectionId: 'acme', order: aClientOrder() };
const HIGH: FoundClient = { ...CLIENT, order: aClientOrder({ merchant_category_code: '7995' }) };
const ACCOUNT: PaymentAccount = {
  ...{ type: 'bban', value: '200001-12340001', connectionId: 'acme' },
  ...{ isRegistered: true, isVerified: true },
};
const DEBTOR = { payment_account_uid: 'acc-1' };
const HERE = '/initiator/client_id';
const THERE = '/debtor/payment_account_uid';

interface Scene extends Partial<Initiating> {
  client?: FoundClient | undefined;
  account?: PaymentAccount | undefined;
  primary?: string;
  isVerifiedBefore?: boolean;
}

async function refusals({ client, account, primary, isVerifiedBefore, ...over }: Scene) {
  const reader = {
    client: (id: string) => Promise.resolve(id === 'c1' ? client : undefined),
    account: () => Promise.resolve(account),
  };
  const initiating = { connectionId: 'acme', isNew: true, initiator: { client_id: 'c1' }, ...over };
  const read = await initiationOf(reader, initiating, { codes: ['7995'], primary });
  return refusalsOfInitiation({ ...read, isVerifiedBefore });
}
const pointers = async (scene: Scene) =>
  (await refusals(scene)).map(({ code, pointer }) => `${code} ${pointer}`);
const inactive = `client_not_active ${HERE}`;
const at = (pointer: string) => `provider_would_refuse ${pointer}`;
const named = (name: string) => ({ initiator: { client_id: 'c1', name } });

describe('who may initiate', () => {
  test.each<[string, Scene, string[]]>([
    ['a client that is active', { client: CLIENT }, []],
    ['a client that is not followed here', {}, []],
    ['the primary client', { initiator: null }, []],
    ['a client without the PayTo service', { client: { ...CLIENT, state: 'not_configured' } }, [inactive]],
    ['a client that is suspended', { client: { ...CLIENT, state: 'suspended' }, isNew: false }, [inactive]],
    ['a client of another connection', { client: { ...CLIENT, connectionId: 'other' } }, [at(HERE)]],
    [
      'a client without ABN and ACN',
      { client: { ...CLIENT, particulars: { australian_business_number: null } } },
      [at(HERE)],
    ],
    ['its legal name', { client: CLIENT, ...named(CLIENT.order.legal_name) }, []],
    [
      'a business name that the provider shows',
      {
        client: { ...CLIENT, particulars: { business_names: ['The Gym'] } },
        ...named('The Gym'),
      },
      [],
    ],
    ['a name that is not registered on it', { client: CLIENT, ...named('Another') }, [at('/initiator/name')]],
  ])('%s', async (_, scene, expected) => {
    expect(await pointers(scene)).toEqual(expected);
  });
});

describe('who is debited', () => {
  test.each<[string, Scene, string[]]>([
    ['an account of another connection', { account: { ...ACCOUNT, connectionId: 'other' } }, [at(THERE)]],
    ['an account that is not registered', { account: { ...ACCOUNT, isRegistered: false } }, [at(THERE)]],
    ['an account that is not known here', {}, []],
  ])('%s', async (_, scene, expected) => {
    expect(await pointers({ client: CLIENT, debtor: DEBTOR, ...scene })).toEqual(expected);
  });
});

describe('a client of high risk', () => {
  const unverified = { ...ACCOUNT, isVerified: false };
  test.each<[string, Scene, string | undefined]>([
    ['no payment account', {}, 'none is named'],
    ['an account that is not known here', { debtor: DEBTOR }, 'not known here'],
    ['an account that is not verified', { debtor: DEBTOR, account: unverified }, 'not verified'],
    ['a verified account', { debtor: DEBTOR, account: ACCOUNT }, undefined],
    ['a counterparty that is verified before', { isVerifiedBefore: true }, undefined],
    ['no account to identify', { isNew: false }, 'none is named'],
    ['no account, as the primary client', { initiator: null, primary: '7995' }, 'none is named'],
  ])('with %s', async (_, scene, why) => {
    const [refusal, ...others] = await refusals({ client: HIGH, ...scene });
    expect(others).toEqual([]);
    if (why === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatchObject({ pointer: THERE, detail: expect.stringContaining(why) as string });
  });

  const identity = {
    legal_name: 'Ada',
    verification: {
      method: 'third_party_provider' as const,
      provider_name: 'P',
      reference: 'r',
      verified_at: '2026-10-01T00:00:00Z',
    },
  };
  const found = {
    connectionId: 'acme',
    state: 'registered' as const,
    order: { identity },
    accounts: [{ ...anAccountOrder(), isCleared: true }],
  };
  test.each([
    ['identity and verification', found, true],
    ['no identity', { ...found, order: {} }, false],
    [
      'no verification',
      { ...found, accounts: [{ ...anAccountOrder('acc-1', { verification: undefined }), isCleared: true }] },
      false,
    ],
    ['no registration', { ...found, state: 'failed' as const }, false],
  ])('finds an account verified where its counterparty has %s: %s', (_, counterparty, isVerified) => {
    expect(paymentAccountsOf(counterparty)).toMatchObject([['acc-1', { isVerified }]]);
  });
});
