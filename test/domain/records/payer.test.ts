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
    accounts: ['200001-90000001', '1'],
    creditAccounts: ['ada@example.com'],
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
  ['BSB 200001 account 0900 00001', 'account'],
  ['1200001-90000001', undefined],
  ['200001-900000012', undefined],
])('%s matches by %s', (text, match) => {
  expect(matchOfPayer(payerIn([{ debtor }]), { detail: [{ text }] })).toBe(match);
});

test('an account that contains the payer’s is of another person, and one of a credit is only a proposal', () => {
  const email = payerIn([{ debtor: { account_identifier: { value: 'ann@gmail.com' } } }]);
  expect(matchOfPayer(email, { report: { payerAccount: 'joann@gmail.com' } })).toBeUndefined();
  expect(matchOfPayer(email, 'from joann@gmail.com or ann@gmail.com.au')).toBeUndefined();
  expect(matchOfPayer(email, 'Rent (Ann@gmail.com).')).toBe('account');
  const phone = payerIn([{ debtor: { account_identifier: { value: '+61-412345678' } } }]);
  expect(matchOfPayer(phone, '+61-4123456789')).toBeUndefined();
  const employer = payerIn([{ debtor }, { report: { payerAccount: '300001-12345678' } }]);
  expect(matchOfPayer(employer, { report: { payerAccount: '300001-12345678' } })).toBe('name');
});

test('a short account or name matches only as a whole', () => {
  const payer = payerIn([{ debtor: { party_name: 'Ann', account_identifier: { value: '12345' } } }]);
  expect(matchOfPayer(payer, 'Ann paid 123456')).toBe(undefined);
  expect(matchOfPayer(payer, { account: '12345' })).toBe('account');
});
