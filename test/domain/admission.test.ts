import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../domain/admission.js';
import { A_MANDATE, anOrder } from '../support/workflows/provider.js';
import type { Standing } from '../../domain/admission.js';
import type { PaymentTerms } from '../../domain/mandate.js';

const standing = (terms: PaymentTerms, over: Partial<Standing> = {}): Standing => ({
  state: 'active',
  isInDoubt: false,
  isContested: false,
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

  test('nothing while it is in doubt whether the authority has gone', () => {
    expect(refusalOf(standing(VARIABLE, { isInDoubt: true }), anOrder('agr', { amount: 1 }))?.code).toBe(
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
