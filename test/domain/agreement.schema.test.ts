import { describe, expect, test } from 'vitest';
import { CreateAgreement } from '../../domain/agreement.schema.js';
import { anAgreement } from '../support/road.js';

const wrong = (over: object): string[] => {
  const parsed = CreateAgreement.safeParse(anAgreement('agr-1', over));
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('/'));
};
const terms = (payment_terms: object): object => ({
  payment_terms: { type: 'variable', frequency: 'adhoc', ...payment_terms },
});
const account = (type: string, value: string): object => ({
  debtor: { account_identifier: { type, value } },
});

describe('what a caller may say of an agreement', () => {
  test('the published example', () => {
    expect(wrong({})).toEqual([]);
  });

  test.each([
    ['a uid outside the pattern', { uid: 'a b' }, 'uid'],
    ['a uid that is a step in a path', { uid: '..' }, 'uid'],
    ['a uid of 65 characters', { uid: 'a'.repeat(65) }, 'uid'],
    ['an unknown purpose', { purpose: 'fun' }, 'purpose'],
    ['text beyond ASCII', { description: 'café' }, 'description'],
    ['an empty description', { description: '' }, 'description'],
    ['a description of 141 characters', { description: 'x'.repeat(141) }, 'description'],
    ['a debtor without an account', { debtor: { party_name: 'A' } }, 'debtor/account_identifier'],
    ['an account number without its branch', account('bban', '12340001'), 'debtor/account_identifier/value'],
    ['an e-mail in capitals', account('alias_email', 'A@B.example'), 'debtor/account_identifier/value'],
    ['a PayID without the payer who asks', account('alias_email', 'a@b.example'), 'payer'],
    [
      'a payer whose address is a name',
      { payer: { requester_id: 'c-1', remote_ip: 'localhost' } },
      'payer/remote_ip',
    ],
    ['an amount of 0', terms({ max_amount: 0 }), 'payment_terms/max_amount'],
    ['a negative amount', terms({ max_amount: -1 }), 'payment_terms/max_amount'],
    ['a fractional amount', terms({ max_amount: 1.5 }), 'payment_terms/max_amount'],
    ['an amount over 1,000,000,000', terms({ max_amount: 1_000_000_001 }), 'payment_terms/max_amount'],
    ['fixed terms without an amount', terms({ type: 'fixed' }), 'payment_terms/amount'],
    ['variable terms with an amount', terms({ amount: 5 }), 'payment_terms/amount'],
    ['a date that does not exist', { validity_start_date: '2027-02-29' }, 'validity_start_date'],
    [
      'an end before the start',
      { validity_start_date: '2027-02-02', validity_end_date: '2027-02-01' },
      'validity_end_date',
    ],
    [
      'a deadline that is no instant',
      { resolution_requested_before: '2027-02-01' },
      'resolution_requested_before',
    ],
    ['a cancel flag without a deadline', { cancel_if_unresolved: true }, 'resolution_requested_before'],
    ['metadata over 2 KB', { metadata: { a: 'x'.repeat(2100) } }, 'metadata'],
    ['a nested metadata', { metadata: { a: { b: 1 } } }, 'metadata/a'],
  ])('not %s', (_name, over, path) => {
    expect(wrong(over)).toContain(path);
  });

  test('no field that is not known', () => {
    expect(CreateAgreement.safeParse({ ...anAgreement(), abn: '1' }).success).toBe(false);
  });
});
