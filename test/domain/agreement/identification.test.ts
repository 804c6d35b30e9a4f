import { describe, expect, test } from 'vitest';
import {
  isIdentified,
  refusalsOfIdentification,
  type Identified,
} from '../../../domain/agreement/identification.js';
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

describe('agreement identification checks', () => {
  test.each<[string, Partial<Identified>, string[]]>([
    ['accept a matching client and account', {}, []],
    ['refuse another client', { mandate: withClient('client-2') }, [`adds_only ${HERE}`]],
    ['refuse another account', { mandate: withAccount('acc-2') }, [`adds_only ${THERE}`]],
    [
      'refuse a different legal name',
      { client: { ...CLIENT, legal_name: 'b biller pty ltd' } },
      [`details_match ${HERE}`],
    ],
    [
      'refuse a different ABN',
      { client: { ...CLIENT, australian_business_number: '51824753556' } },
      [`details_match ${HERE}`],
    ],
    [
      'refuse a client without ACN',
      { client: { ...CLIENT, australian_company_number: null } },
      [`details_match ${HERE}`],
    ],
    [
      'refuse an unlisted business name',
      { client: { ...CLIENT, business_names: ['Another'] } },
      [`details_match ${HERE}`],
    ],
    ['accept a listed business name', { client: { ...CLIENT, business_names: ['B Biller'] } }, []],
    [
      'refuse an account of another debtor',
      { account: { ...ACCOUNT, value: '200001-1' } },
      [`account_is_debtors ${THERE}`],
    ],
    [
      'refuse an unregistered account',
      { account: { ...ACCOUNT, isRegistered: false } },
      [`account_is_debtors ${THERE}`],
    ],
    ['accept a PayID of an unknown account', { account: { ...ACCOUNT, type: 'alias_email' } }, []],
    ['refuse a recorded client', { mandate: withClient('client-1') }, [`once ${HERE}`]],
    ['refuse a recorded account', { mandate: withAccount('acc-1') }, [`once ${THERE}`]],
    ['refuse additions to an ended agreement', { state: 'cancelled' }, ['not_final']],
    ['accept a client for a possible primary client', { mandate: withClient(null) }, []],
    ['accept unknown resources', { client: undefined, account: undefined, mandate: undefined }, []],
    ['accept hidden details', { mandate: { debtor: null, initiator: { name: 'B' } } }, []],
  ])('%s', (_, over, expected) => {
    expect(verdicts(over)).toEqual(expected);
  });

  test('report every rule that applies', () => {
    expect(verdicts({ state: 'expired', mandate: withClient('client-2') })).toEqual([
      `adds_only ${HERE}`,
      'not_final',
    ]);
  });
});

test.each([
  ['nothing', MANDATE, false],
  ['one', withClient('client-1'), false],
  ['both', { ...withClient('client-1'), debtor: withAccount('acc-1').debtor }, true],
])(
  'an agreement is identified only if it shows both requested identifiers (shown: %s)',
  (_, mandate, isDone) => {
    expect(isIdentified(mandate, ASK)).toBe(isDone);
  },
);
