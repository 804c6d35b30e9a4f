import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../domain/admission.js';
import { differences, isAskedFor } from '../../domain/intent.js';
import { LADDERS, waitMs } from '../../domain/ladder.js';
import { A_MANDATE, anOrder } from '../workflows/provider.js';
import type { Standing } from '../../domain/admission.js';
import type { PaymentTerms } from '../../domain/mandate.js';

const standing = (terms: PaymentTerms, over: Partial<Standing> = {}): Standing => ({
  state: 'active',
  held: false,
  mandate: { ...A_MANDATE, payment_terms: terms },
  ...over,
});
const VARIABLE = { type: 'variable', frequency: 'monthly', max_amount: 500 };
const FIXED = { type: 'fixed', frequency: 'monthly', amount: 500 };
const BALLOON = { type: 'balloon', frequency: 'monthly', amount: 500, last_payment_amount: 900 };

describe('admission', () => {
  test.each([
    ['up to the maximum', VARIABLE, 500, undefined],
    ['over the maximum', VARIABLE, 501, 'amount_over_maximum'],
    [
      'any amount where there is no maximum',
      { type: 'usage_based', frequency: 'adhoc' },
      1_000_000,
      undefined,
    ],
    ['the fixed amount', FIXED, 500, undefined],
    ['less than the fixed amount', FIXED, 499, 'amount_not_fixed'],
    ['more than the fixed amount', FIXED, 501, 'amount_not_fixed'],
    ['a balloon’s last amount', BALLOON, 900, undefined],
    ['no amount of a balloon', BALLOON, 700, 'amount_not_fixed'],
    ['a null maximum', { ...VARIABLE, max_amount: null }, 501, undefined],
  ])('%s', (_name, terms, amount, code) => {
    expect(refusalOf(standing(terms), anOrder('agr', { amount }))?.code).toBe(code);
  });

  test.each(['pending', 'created', 'suspended', 'declined', 'expired', 'cancelled', 'failed'] as const)(
    'nothing while the agreement is %s',
    (state) => {
      expect(refusalOf(standing(VARIABLE, { state }), anOrder('agr', { amount: 1 }))?.code).toBe(
        'agreement_not_active',
      );
    },
  );

  test('nothing while someone says that the authority has gone', () => {
    expect(refusalOf(standing(VARIABLE, { held: true }), anOrder('agr', { amount: 1 }))?.code).toBe(
      'agreement_held',
    );
  });

  test('nothing while the terms are not known', () => {
    expect(refusalOf(standing(VARIABLE, { mandate: undefined }), anOrder('agr', { amount: 1 }))?.code).toBe(
      'agreement_held',
    );
  });

  test('asks for a creditor where the agreement names none', () => {
    const nameless = standing(VARIABLE, {
      mandate: { ...A_MANDATE, creditor: null, payment_terms: VARIABLE },
    });
    expect(refusalOf(nameless, anOrder('agr', { amount: 1 }))).toMatchObject({
      code: 'creditor_needed',
      pointer: '/creditor',
    });
    expect(refusalOf(nameless, anOrder('agr', { amount: 1, creditor: { party_name: 'B' } }))).toBeUndefined();
  });
});

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
    expect(isAskedFor(wanted, found)).toBe(isOurs);
  });
});

describe('the ladders', () => {
  test.each([
    ['payer_decision', [15, 60, 300, 900, 3600, 21_600, 21_600]],
    ['payment', [5, 15, 40, 120, 600, 3600, 3600]],
  ] as const)('%s', (name, seconds) => {
    expect(seconds.map((_, index) => waitMs(name, index + 1, 0.5) / 1000)).toEqual(seconds);
  });

  test('from the fifth day asks every 30 minutes for a day, then every 6 hours', () => {
    const waits = Array.from({ length: 50 }, (_, index) => waitMs('overdue', index + 1, 0.5) / 60_000);
    expect(waits).toEqual([...Array.from({ length: 48 }, () => 30), 360, 360]);
  });

  test('spread their waits over ten percent to either side', () => {
    for (const name of Object.keys(LADDERS)) {
      if (name !== 'payment') continue;
      expect([waitMs(name, 1, 0), waitMs(name, 1, 1)]).toEqual([4500, 5500]);
    }
  });
});
