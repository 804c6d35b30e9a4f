import { describe, expect, test } from 'vitest';
import {
  initiationOf,
  paymentAccountsOf,
  refusalsOfInitiation,
  type Initiating,
  type PaymentAccount,
} from '../../../domain/client/may-initiate.js';
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

describe('initiator checks', () => {
  test.each<[string, Scene, string[]]>([
    ['accept an active client', { client: CLIENT }, []],
    ['accept an unknown client', {}, []],
    ['accept the primary client', { initiator: null }, []],
    ['refuse a client without PayTo', { client: { ...CLIENT, state: 'not_configured' } }, [inactive]],
    ['refuse a suspended client', { client: { ...CLIENT, state: 'suspended' }, isNew: false }, [inactive]],
    ['refuse a client of another connection', { client: { ...CLIENT, connectionId: 'other' } }, [at(HERE)]],
    [
      'refuse a client without ABN or ACN',
      { client: { ...CLIENT, particulars: { australian_business_number: null } } },
      [at(HERE)],
    ],
    ['accept the client’s legal name', { client: CLIENT, ...named(CLIENT.order.legal_name) }, []],
    [
      'accept a name that the provider shows',
      {
        client: { ...CLIENT, particulars: { business_names: ['The Gym'] } },
        ...named('The Gym'),
      },
      [],
    ],
    ['refuse an unregistered name', { client: CLIENT, ...named('Another') }, [at('/initiator/name')]],
  ])('%s', async (_, scene, expected) => {
    expect(await pointers(scene)).toEqual(expected);
  });
});

describe('debtor account checks', () => {
  test.each<[string, Scene, string[]]>([
    ['refuse another connection’s account', { account: { ...ACCOUNT, connectionId: 'other' } }, [at(THERE)]],
    ['refuse an unregistered account', { account: { ...ACCOUNT, isRegistered: false } }, [at(THERE)]],
    ['accept an unknown account', {}, []],
  ])('%s', async (_, scene, expected) => {
    expect(await pointers({ client: CLIENT, debtor: DEBTOR, ...scene })).toEqual(expected);
  });
});

describe('initiation by a high-risk client', () => {
  const unverified = { ...ACCOUNT, isVerified: false };
  test.each<[string, Scene, string | undefined]>([
    ['no payment account', {}, 'the debtor names none'],
    ['an unknown account', { debtor: DEBTOR }, 'unknown here'],
    ['an unverified account', { debtor: DEBTOR, account: unverified }, 'not verified'],
    ['a verified account', { debtor: DEBTOR, account: ACCOUNT }, undefined],
    ['a previously verified counterparty', { isVerifiedBefore: true }, undefined],
    ['no account to identify', { isNew: false }, 'the debtor names none'],
    ['no account, as the primary client', { initiator: null, primary: '7995' }, 'the debtor names none'],
  ])('is judged with %s', async (_, scene, why) => {
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
  ])('treats an account as verified if its counterparty has %s: %s', (_, counterparty, isVerified) => {
    expect(paymentAccountsOf(counterparty)).toMatchObject([['acc-1', { isVerified }]]);
  });
});
