import { describe, expect, test } from 'vitest';
import {
  checkOf,
  corrected,
  faultsOfCounterparty,
  isHighRisk,
  registrationOf,
} from '../../../domain/counterparty/lifecycle.js';
import { anAccountOrder } from '../../support/workflows/provider.js';
import type { AccountRequest, AccountOrder } from '../../../domain/counterparty/request.schema.js';

const NOW = '2026-11-01T04:00:00.000Z';
const PAYID = { type: 'alias_email', value: 'ada@example.com' } as const;
const evidence = (verified_at = '2026-10-03T02:00:00Z') =>
  ({ method: 'third_party_provider', provider_name: 'IDCo', reference: 'r-1', verified_at }) as const;
const IDENTITY = { legal_name: 'Ada Payer', verification: evidence() };

const faults = (
  accounts: readonly AccountRequest[],
  over: { isHighRisk?: boolean; hasPayer?: boolean; identity?: typeof IDENTITY } = {},
) =>
  faultsOfCounterparty(
    { identity: over.identity, payment_accounts: [...accounts] },
    { now: NOW, hasPayer: over.hasPayer === true, isHighRisk: over.isHighRisk === true },
  ).map(({ pointer }) => pointer);

describe('counterparty registration checks', () => {
  const { verification: _, party_name: __, uid: ___, ...bare } = anAccountOrder();
  const other = { type: 'bban', value: '200001-999' } as const;
  test.each<[string, AccountRequest[], Parameters<typeof faults>[1], string[]]>([
    ['accept an account without verification', [bare], {}, []],
    ['refuse a duplicate account', [bare, bare], {}, ['/payment_accounts/1/account_identifier']],
    [
      'refuse a comparison without a name',
      [{ ...bare, verification: { method: 'account_validation' } }],
      {},
      ['/payment_accounts/0/party_name'],
    ],
    [
      'refuse a comparison of a PayID',
      [anAccountOrder('a', { account_identifier: PAYID })],
      { hasPayer: true },
      ['/payment_accounts/0/verification/method'],
    ],
    [
      'refuse an alias look-up of an account',
      [{ ...bare, verification: { method: 'alias_resolution' } }],
      {},
      ['/payment_accounts/0/verification/method'],
    ],
    ['refuse a PayID without a payer', [{ account_identifier: PAYID }], {}, ['/payer']],
    [
      'refuse verification evidence dated in the future',
      [bare, { account_identifier: other, verification: evidence('2027-01-01T00:00:00+11:00') }],
      { identity: { ...IDENTITY, verification: evidence('2026-11-02T00:00:00Z') } },
      ['/identity/verification/verified_at', '/payment_accounts/1/verification/verified_at'],
    ],
    [
      'refuse a high-risk registration without identity and verification',
      [anAccountOrder(), { account_identifier: other }],
      { isHighRisk: true },
      ['/identity', '/payment_accounts/1/verification'],
    ],
    ['accept a complete high-risk request', [anAccountOrder()], { isHighRisk: true, identity: IDENTITY }, []],
  ])('%s', (_name, accounts, over, pointers) => {
    expect(faults(accounts, over)).toEqual(pointers);
  });

  test.each([
    ['7995', true],
    ['7997', false],
    [undefined, false],
    [null, false],
  ])('the category %s is high risk: %s', (code, isIt) => {
    expect(isHighRisk(code, ['7995', '6051'])).toBe(isIt);
  });
});

describe('payment account', () => {
  test.each<[string, Partial<AccountOrder>, string | undefined]>([
    [
      'a PayID with any evidence',
      { account_identifier: PAYID, verification: evidence() },
      'alias_resolution',
    ],
    ['an account comparison', {}, 'account_validation'],
    ['evidence of a third party', { verification: evidence() }, 'third_party_provider'],
    ['no verification', { verification: undefined }, undefined],
  ])('is verified by the requested method: %s', (_name, over, check) => {
    expect(checkOf(anAccountOrder('a', over))).toBe(check);
  });

  test('is registered with its evidence or look-up reference and without the name', () => {
    const sent = registrationOf({ identity: IDENTITY }, [
      { ...anAccountOrder('a'), reference: 'a-1' },
      anAccountOrder('b', { verification: evidence() }),
      anAccountOrder('c', { account_identifier: PAYID, verification: undefined }),
      anAccountOrder('d', { verification: undefined }),
    ]);
    expect(sent.payment_accounts.map(({ uid, verification }) => [uid, verification])).toEqual([
      ['a', { method: 'account_validation', reference: 'a-1' }],
      ['b', evidence()],
      ['c', { method: 'alias_resolution' }],
      ['d', undefined],
    ]);
    expect(JSON.stringify(sent.payment_accounts)).not.toContain('Ada');
  });

  test('changes only the corrected fields', () => {
    const account = anAccountOrder();
    expect(corrected(account, { party_name: 'A Payer' })).toEqual({ ...account, party_name: 'A Payer' });
  });
});
