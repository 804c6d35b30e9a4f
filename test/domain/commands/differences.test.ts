import { describe, expect, test } from 'vitest';
import { differences, isRequestedChange } from '../../../domain/commands/differences.js';
import { A_MANDATE } from '../../support/workflows/provider.js';

describe('comparison of an existing resource with the request', () => {
  test('names each field that differs', () => {
    const found = {
      ...A_MANDATE,
      description: 'Another',
      payment_terms: { ...A_MANDATE.payment_terms, max_amount: 1 },
    };
    expect(differences(A_MANDATE, found)).toEqual(['/description', '/payment_terms/max_amount']);
  });

  test('ignores fields that the provider adds or omits', () => {
    expect(
      differences(
        { ...A_MANDATE, metadata: { order: 1 } },
        { purpose: 'utility', uid: 'x', state: 'active' },
      ),
    ).toEqual([]);
  });

  test('treats null from the provider as omitted', () => {
    expect(differences({ last_payment: false, amount: 5 }, { last_payment: null, amount: 5 })).toEqual([]);
  });

  test.each([
    ['a blank at the end', 'Plan 77 ', 'Plan 77'],
    ['other line ends', 'October\r\nThank you', 'October\nThank you'],
    ['another form of the same letter', 'Caf\u0065\u0301', 'Caf\u00e9'],
    ['a UUID in capitals', '0B7C9A4E-1D2F-4A3B-8C5D-6E7F80910A1B', '0b7c9a4e-1d2f-4a3b-8c5d-6e7f80910a1b'],
  ])('ignores %s, which the provider normalises', (_what, description, found) => {
    expect(differences({ description }, { description: found })).toEqual([]);
    expect(isRequestedChange({ description }, { description: found })).toBe(true);
  });

  test('sees another letter case in a text', () => {
    expect(differences({ description: 'Plan A' }, { description: 'plan a' })).toEqual(['/description']);
  });

  test('treats accounts of different types as different', () => {
    const found = {
      ...A_MANDATE,
      debtor: { account_identifier: { type: 'alias_email', value: '200001-12340001' } },
    };
    expect(differences(A_MANDATE, found)).toEqual(['/debtor/account_identifier/type']);
  });
});

describe('comparison of a pending amendment with the request', () => {
  const terms = { max_amount: 40_000, amount: null };
  test.each<[string, object, object, boolean]>([
    [
      'matches identical changes',
      { description: 'Ours', payment_terms: terms },
      { description: 'Ours', payment_terms: terms },
      true,
    ],
    [
      'matches changes with additional fields',
      { description: 'Ours' },
      { description: 'Ours', actor: 'initiator' },
      true,
    ],
    [
      'matches changes that omit a removed field',
      { payment_terms: terms },
      { payment_terms: { max_amount: 40_000 } },
      true,
    ],
    [
      'does not match if a removed field still has a value',
      { payment_terms: terms },
      { payment_terms: { ...terms, amount: 5 } },
      false,
    ],
    ['does not match a different value', { description: 'Ours' }, { description: 'Theirs' }, false],
    ['does not match different fields', { description: 'Ours' }, { validity_end_date: '2028-01-01' }, false],
    [
      'does not match only some of the fields',
      { description: 'Ours', validity_end_date: '2028-01-01' },
      { description: 'Ours' },
      false,
    ],
    [
      'does not match other fields if the request only removes fields',
      { validity_end_date: null },
      { description: 'Theirs' },
      false,
    ],
    ['matches the same removal', { validity_end_date: null }, { validity_end_date: null }, true],
  ])('%s', (_, wanted, found, isOurs) => {
    expect(isRequestedChange(wanted, found)).toBe(isOurs);
  });
});
