import { describe, expect, test } from 'vitest';
import { cpuOf } from '../../support/cpu.js';
import { masked, maskedNumber } from '../../../api/http/masking.js';

test.each([
  ['200001-12340001', '************001'],
  ['jo@example.com', '***********com'],
  ['123', '***'],
  ['', ''],
])('the number "%s" is masked as "%s"', (number, shown) => {
  expect(maskedNumber(number)).toBe(shown);
});

describe('masked response', () => {
  const debtor = { party_name: 'Jo Payer', account_identifier: { type: 'bban', value: '200001-12340001' } };
  const hidden = { ...debtor, account_identifier: { type: 'bban', value: '************001' } };

  test('hides account numbers in all account fields and leaves other fields unchanged', () => {
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
    'accepts an account without a number: %o',
    (answer) => {
      expect(masked(answer)).toEqual(answer);
    },
  );

  test.each([
    'Account 062-000 12345678 is closed',
    'Account 062000-12345678 is closed',
    'BSB 062000, account 12345678.',
    'Acct:12345678 refused, a/c-1234567',
    'the PayID jo.payer+x@mail.example.com',
    'call +61-412 345 678 or 0412 345 678',
    '2026-01-01.jo.payer@mail.example.com, $5jo.payer@bank, a@b.co+jo.payer@mail.example.com',
    'account----- 12345678, 0412'.padEnd(80, '0412'),
  ])('hides account numbers and PayIDs in text: %s', (text) => {
    const shown = JSON.stringify(masked({ state_reason: { detail: text, narrative: [text] }, title: text }));
    expect(shown).not.toMatch(/062|123456|12345|jo\.payer|@|412|0412/);
  });

  test.each([
    'Expected at most 1500000 cents; met $250000.00.',
    'Asked for at 2026-11-25T10:11:12.123Z, until 2026-12-01.',
    'Payment p-20261125 of 0195e5a4-0000-7000-8000-000000000002 in version 20260901 (ZPAGR15).',
  ])('keeps amounts, dates, ids and versions readable: %s', (text) => {
    expect(masked({ detail: text })).toEqual({ detail: text });
  });

  test('hides known account numbers and personal names in its texts', () => {
    const creditor = { party_name: 'Corner Gym' };
    const answer = {
      data: { debtor, creditor, description: 'Corner Gym for jo payer', uid: '12345678', code: 'Ada Holder' },
      errors: [{ detail: 'Ada Holder has 12AB-7 at the bank.' }],
    };
    expect(masked(answer, ['Ada Holder', '12AB-7'])).toEqual({
      data: {
        debtor: hidden,
        creditor,
        description: 'Corner Gym for ********',
        uid: '12345678',
        code: 'Ada Holder',
      },
      errors: [{ detail: '********** has ***B-7 at the bank.' }],
    });
  });
});

const fill = (text: string): string => text.repeat(60_000 / text.length);

test.each(['a', '1', '-', '1 ', '1-', '1,', 'a@', 'a.', '$1', ' '].flatMap((one) => [one, `account ${one}`]))(
  'a text of 60,000 characters of "%s" is masked within milliseconds',
  async (one) => {
    masked({ detail: one });
    expect(await cpuOf(() => masked({ detail: `${fill(one)}x` }))).toBeLessThan(150); // Was seconds.
  },
);

const HIDDEN = '(hidden: this answer has too much text to mask; the scope `personal` shows it)';

test.each([
  ['too many texts', { data: Array<object>(40).fill({ detail: fill('ab') }) }],
  [
    'too many names',
    { names: Array.from({ length: 2001 }, (_, i) => ({ party_name: `Jo ${i}` })), detail: 'a' },
  ],
  ['a name that is too long', { debtor: { party_name: fill('a ') }, detail: 'a' }],
])('texts of an answer with %s are hidden', (_, answer) => {
  expect(JSON.stringify(masked(answer)).slice(-HIDDEN.length - 5)).toContain(HIDDEN);
});
