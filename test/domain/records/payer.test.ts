import { expect, test } from 'vitest';
import { matchOfPayer, payerIn } from '../../../domain/records/payer.js';

const debtor = {
  party_name: 'Ada  Payer-Smith',
  account_identifier: { type: 'bban', value: '200001-090000001' },
  payment_account_uid: 'acc-1',
};

test('the payer is read from debtors, credits and counterparties, not from the merchant', () => {
  const creditor = { party_name: 'The Merchant', account_identifier: { value: '300001-11112222' } };
  const credit = { report: { payerName: 'A. Payer', payerAccount: 'Ada@example.com' } };
  const counterparty = { accounts: [{ uid: 'acc-2', account_identifier: { value: '1' }, tries: 1 }] };
  expect(payerIn([{ mandate: { debtor, creditor }, amount: 5 }, credit, counterparty, null])).toEqual({
    accounts: ['200001-90000001', 'ada@example.com', '1'],
    accountUids: ['acc-1', 'acc-2'],
    names: ['ada payer smith', 'a payer'],
  });
});

test.each([
  ['from 200001-90000001, rent', 'account'],
  ['20000190000001', 'account'],
  [20_000_190_000_001, 'account'],
  ['200001-090000001', 'account'],
  ['Rent of ADA PAYER-SMITH.', 'name'],
  ['Adapayersmith', undefined],
  ['Ada Payer-Smithson', undefined],
  ['200001-90000002', undefined],
])('%s matches by %s', (text, match) => {
  expect(matchOfPayer(payerIn([{ debtor }]), { detail: [{ text }] })).toBe(match);
});

test('a short account or name matches only as a whole', () => {
  const payer = payerIn([{ debtor: { party_name: 'Ann', account_identifier: { value: '12345' } } }]);
  expect(matchOfPayer(payer, 'Ann paid 123456')).toBe(undefined);
  expect(matchOfPayer(payer, { account: '12345' })).toBe('account');
});
