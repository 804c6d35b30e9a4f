import { describe, expect, test } from 'vitest';
import { differences, isRequestedChange } from '../../../domain/commands/differences.js';
import { A_MANDATE } from '../../support/workflows/provider.js';

describe('whether what exists is what was meant', () => {
  test('names each field that differs', () => {
    const found = {
      ...A_MANDATE,
      description: 'Another',
      payment_terms: { ...A_MANDATE.payment_terms, max_amount: 1 },
    };
    expect(differences(A_MANDATE, found)).toEqual(['/description', '/payment_terms/max_amount']);
  });

  test('takes what the provider adds or leaves out for no difference', () => {
    expect(
      differences(
        { ...A_MANDATE, metadata: { order: 1 } },
        { purpose: 'utility', uid: 'x', state: 'active' },
      ),
    ).toEqual([]);
  });

  test('takes what the provider answers as null for left out', () => {
    expect(differences({ last_payment: false, amount: 5 }, { last_payment: null, amount: 5 })).toEqual([]);
  });

  test('takes an account of another type for another account', () => {
    const found = {
      ...A_MANDATE,
      debtor: { account_identifier: { type: 'alias_email', value: '200001-12340001' } },
    };
    expect(differences(A_MANDATE, found)).toEqual(['/debtor/account_identifier/type']);
  });
});

describe('whether an amendment under way is the one that was asked for', () => {
  const terms = { max_amount: 40_000, amount: null };
  test.each<[string, object, object, boolean]>([
    [
      'the same',
      { description: 'Ours', payment_terms: terms },
      { description: 'Ours', payment_terms: terms },
      true,
    ],
    [
      'with more than was asked for',
      { description: 'Ours' },
      { description: 'Ours', actor: 'initiator' },
      true,
    ],
    [
      'without what was to be taken away',
      { payment_terms: terms },
      { payment_terms: { max_amount: 40_000 } },
      true,
    ],
    [
      'with what was to be taken away',
      { payment_terms: terms },
      { payment_terms: { ...terms, amount: 5 } },
      false,
    ],
    ['with another value', { description: 'Ours' }, { description: 'Theirs' }, false],
    ['of other fields', { description: 'Ours' }, { validity_end_date: '2028-01-01' }, false],
    [
      'of some of the fields',
      { description: 'Ours', validity_end_date: '2028-01-01' },
      { description: 'Ours' },
      false,
    ],
    [
      'of others, where all was to be taken away',
      { validity_end_date: null },
      { description: 'Theirs' },
      false,
    ],
    ['that takes the same away', { validity_end_date: null }, { validity_end_date: null }, true],
  ])('%s', (_, wanted, found, isOurs) => {
    expect(isRequestedChange(wanted, found)).toBe(isOurs);
  });
});
