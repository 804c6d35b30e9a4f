import { describe, expect, test } from 'vitest';
import { isIdentified, refusalsOfIdentification } from '../../../domain/agreement/identification.js';
import type { Identified } from '../../../domain/agreement/identification.js';
import type { Mandate } from '../../../domain/agreement/mandate.js';

const DEBTORS = { type: 'bban', value: '200001-12340001' };
const ACCOUNT = { ...DEBTORS, isRegistered: true, isVerified: false };
const MANDATE: Mandate = {
  debtor: { party_name: 'A Payer', account_identifier: DEBTORS },
  initiator: { name: 'B Biller', legal_name: 'B Biller Pty Ltd', abn: '53004085616', acn: '004085616' },
};
const CLIENT = {
  legal_name: 'B Biller Pty Ltd',
  australian_business_number: '53004085616',
  australian_company_number: '004085616',
};
const ASK = { initiator: { client_id: 'client-1' }, debtor: { payment_account_uid: 'acc-1' } };

const withClient = (client_id: string | null): Mandate => ({
  ...MANDATE,
  initiator: { ...MANDATE.initiator, client_id },
});
const withAccount = (payment_account_uid: string): Mandate => ({
  ...MANDATE,
  debtor: { ...MANDATE.debtor, payment_account_uid },
});
const verdicts = (over: Partial<Identified>) =>
  refusalsOfIdentification({
    state: 'active',
    mandate: MANDATE,
    ask: ASK,
    client: CLIENT,
    account: ACCOUNT,
    ...over,
  }).map(({ rule, pointer }) => `${rule} ${pointer}`.trim());

const HERE = '/initiator/client_id';
const THERE = '/debtor/payment_account_uid';

describe('what may be added to an agreement', () => {
  test.each<[string, Partial<Identified>, string[]]>([
    ['both, where all fits', {}, []],
    ['another client than the one there', { mandate: withClient('client-2') }, [`adds_only ${HERE}`]],
    ['another account than the one there', { mandate: withAccount('acc-2') }, [`adds_only ${THERE}`]],
    [
      'a client of another legal name',
      { client: { ...CLIENT, legal_name: 'b biller pty ltd' } },
      [`details_match ${HERE}`],
    ],
    [
      'a client of another ABN',
      { client: { ...CLIENT, australian_business_number: '51824753556' } },
      [`details_match ${HERE}`],
    ],
    [
      'a client without the ACN',
      { client: { ...CLIENT, australian_company_number: null } },
      [`details_match ${HERE}`],
    ],
    [
      'a client on which the initiator’s name is not registered',
      { client: { ...CLIENT, business_names: ['Another'] } },
      [`details_match ${HERE}`],
    ],
    ['a client with that business name', { client: { ...CLIENT, business_names: ['B Biller'] } }, []],
    [
      'another account than the debtor’s',
      { account: { ...ACCOUNT, value: '200001-1' } },
      [`account_is_debtors ${THERE}`],
    ],
    [
      'an account of a counterparty that is not registered',
      { account: { ...ACCOUNT, isRegistered: false } },
      [`account_is_debtors ${THERE}`],
    ],
    ['a PayID, which may be the debtor’s account', { account: { ...ACCOUNT, type: 'alias_email' } }, []],
    ['the client that is there', { mandate: withClient('client-1') }, [`once ${HERE}`]],
    ['the account that is there', { mandate: withAccount('acc-1') }, [`once ${THERE}`]],
    ['anything to what is over', { state: 'cancelled' }, ['not_final']],
    ['a client to what may be the primary client’s', { mandate: withClient(null) }, []],
    ['what is not known here', { client: undefined, account: undefined, mandate: undefined }, []],
    ['what the provider does not show', { mandate: { debtor: null, initiator: { name: 'B' } } }, []],
  ])('%s', (_, over, expected) => {
    expect(verdicts(over)).toEqual(expected);
  });

  test('several rules may refuse it at once', () => {
    expect(verdicts({ state: 'expired', mandate: withClient('client-2') })).toEqual([
      `adds_only ${HERE}`,
      'not_final',
    ]);
  });
});

test.each([
  ['nothing', MANDATE, false],
  ['one of the two', withClient('client-1'), false],
  ['both', { ...withClient('client-1'), debtor: withAccount('acc-1').debtor }, true],
])('an agreement that shows %s of what was asked for: done is %s', (_, mandate, isDone) => {
  expect(isIdentified(mandate, ASK)).toBe(isDone);
});
