import { describe, expect, test } from 'vitest';
import { masked, maskedNumber } from '../../../api/http/masking.js';

test.each([
  ['200001-12340001', '************001'],
  ['jo@example.com', '***********com'],
  ['123', '***'],
  ['', ''],
])('%s is shown as %s', (number, shown) => {
  expect(maskedNumber(number)).toBe(shown);
});

describe('an answer', () => {
  const debtor = { party_name: 'Jo', account_identifier: { type: 'bban', value: '200001-12340001' } };
  const hidden = { party_name: 'Jo', account_identifier: { type: 'bban', value: '************001' } };

  test('is masked wherever it holds an account number, and stays as it is elsewhere', () => {
    const answer = {
      data: [{ uid: 'a-1', debtor, metadata: { value: '200001-12340001' }, amounts: [1, null] }],
      facts: [{ detail: { changes: { creditor: debtor } } }],
      primary_bank_account_bban: '200001-12340001',
    };
    expect(masked(answer)).toEqual({
      data: [{ uid: 'a-1', debtor: hidden, metadata: { value: '200001-12340001' }, amounts: [1, null] }],
      facts: [{ detail: { changes: { creditor: hidden } } }],
      primary_bank_account_bban: '************001',
    });
  });

  test.each([{ account_identifier: null }, { account_identifier: {} }, { primary_bank_account_bban: null }])(
    'without the number is no failure: %o',
    (answer) => {
      expect(masked(answer)).toEqual(answer);
    },
  );
});
