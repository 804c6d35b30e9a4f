import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../domain/terms/judge.js';
import { A_MANDATE, anOrder } from '../../support/workflows/provider.js';
import type { Mandate, PaymentOrder, PaymentTerms } from '../../../domain/agreement/mandate.js';
import type { PaymentOutcome } from '../../../domain/payment/outcome.js';
import type { Earlier, TermsStatus } from '../../../domain/terms/status.js';

const NOW = '2026-10-15T01:00:00.000Z';

const under = (
  terms: PaymentTerms,
  { mandate, ...over }: Partial<Omit<TermsStatus, 'mandate'>> & { mandate?: Partial<Mandate> } = {},
): TermsStatus => ({
  state: 'active',
  isInDoubt: false,
  isContested: false,
  since: '2026-01-01T01:00:00.000Z',
  earlier: [],
  hasUnknownPayments: false,
  consecutiveFailures: 0,
  inFlight: 0,
  mandate: { ...A_MANDATE, ...mandate, payment_terms: terms },
  ...over,
});
const paid = (day: string, outcome?: PaymentOutcome, over: Partial<Earlier> = {}): Earlier => ({
  amount: 500,
  requestedAt: `${day}T01:00:00.000Z`,
  outcome,
  ...over,
});
const judged = (standing: TermsStatus, order: Partial<PaymentOrder> = {}, now = NOW) =>
  refusalOf(standing, anOrder('agr', { amount: 500, ...order }), now);

const ADHOC = { type: 'variable', frequency: 'adhoc', max_amount: 500 };
const MONTHLY = { ...ADHOC, frequency: 'monthly' };
const FIXED = { type: 'fixed', frequency: 'adhoc', amount: 500 };
const BALLOON = { ...FIXED, type: 'balloon', last_payment_amount: 900 };
const STAGED = { ...FIXED, first_payment_amount: 700, last_payment_amount: 900 };

describe('amount check', () => {
  test.each<[string, PaymentTerms, Partial<PaymentOrder>, Earlier[], string | undefined]>([
    ['accepts the maximum', ADHOC, {}, [], undefined],
    ['refuses an amount over the maximum', ADHOC, { amount: 501 }, [], 'amount_over_maximum'],
    ['accepts any amount without a maximum', { ...ADHOC, max_amount: null }, { amount: 501 }, [], undefined],
    ['accepts the fixed amount', FIXED, {}, [], undefined],
    ['refuses less than the fixed amount', FIXED, { amount: 499 }, [], 'amount_not_fixed'],
    ['accepts the first amount for the first payment', STAGED, { amount: 700 }, [], undefined],
    ['refuses the regular amount for the first payment', STAGED, {}, [], 'amount_not_fixed'],
    [
      'accepts the first amount while an earlier payment may still fail',
      STAGED,
      { amount: 700 },
      [paid('2026-09-01')],
      undefined,
    ],
    [
      'refuses the first amount later',
      STAGED,
      { amount: 700 },
      [paid('2026-09-01', 'settled')],
      'amount_not_fixed',
    ],
    ['accepts the regular amount later', STAGED, {}, [paid('2026-09-01', 'settled')], undefined],
    [
      'accepts the first amount after a failed first payment',
      STAGED,
      { amount: 700 },
      [paid('2026-09-01', 'failed')],
      undefined,
    ],
    ['accepts the last amount if no field marks the last payment', STAGED, { amount: 900 }, [], undefined],
    ['accepts the last amount of a balloon', BALLOON, { amount: 900, last_payment: true }, [], undefined],
    ['refuses the regular amount at the end', BALLOON, { last_payment: true }, [], 'amount_not_fixed'],
    [
      'refuses the last amount of a balloon for an earlier payment',
      BALLOON,
      { amount: 900, last_payment: false },
      [],
      'amount_not_fixed',
    ],
  ])('%s', (_name, terms, order, earlier, code) => {
    expect(judged(under(terms, { earlier }), order)?.code).toBe(code);
  });

  test('accepts the first amount if earlier payments are unknown', () => {
    expect(judged(under(STAGED, { hasUnknownPayments: true }), { amount: 700 })).toBeUndefined();
    expect(judged(under(STAGED, { hasUnknownPayments: true }))).toBeUndefined();
  });
});

describe('last payment', () => {
  test.each<[string, PaymentTerms, Partial<PaymentOrder>, Earlier[], string | undefined]>([
    ['refuses a balloon payment without last_payment', BALLOON, {}, [], 'last_payment_needed'],
    ['refuses last_payment for other terms', ADHOC, { last_payment: false }, [], 'last_payment_not_allowed'],
    [
      'refuses a payment after the last one',
      BALLOON,
      { last_payment: false },
      [paid('2026-09-01', 'settled', { isLast: true })],
      'last_payment_made',
    ],
    [
      'accepts a payment after the last one failed',
      BALLOON,
      { last_payment: false },
      [paid('2026-09-01', 'failed', { isLast: true })],
      undefined,
    ],
  ])('%s', (_name, terms, order, earlier, code) => {
    expect(judged(under(terms, { earlier }), order)?.code).toBe(code);
  });
});

describe('payment date check', () => {
  const valid = { validity_start_date: '2026-10-04', validity_end_date: '2027-04-04' };
  test.each<[string, string, string | undefined, string | null | undefined]>([
    ['just before the first day', '2026-10-03T13:59:59.999Z', 'before_validity', '2026-10-03T14:00:00.000Z'],
    ['the first moment of the first day', '2026-10-03T14:00:00.000Z', undefined, undefined],
    ['the last moment of the last day', '2027-04-04T13:59:59.999Z', undefined, undefined],
    ['the moment after the last day', '2027-04-04T14:00:00.000Z', 'after_validity', null],
  ])('applies the validity period at %s', (_name, now, code, passesFrom) => {
    const refusal = judged(under(ADHOC, { mandate: valid }), {}, now);
    expect(refusal?.code).toBe(code);
    expect(refusal?.passesFrom).toBe(passesFrom);
  });

  test.each([
    ['2026-10-16', '2027-01-01', 'before_first_payment_date'],
    ['2026-10-15', '2026-10-15', undefined],
    ['2026-09-01', '2026-10-14', 'after_last_payment_date'],
  ])('applies the payment days from %s to %s', (first_payment_date, last_payment_date, code) => {
    expect(judged(under({ ...ADHOC, first_payment_date, last_payment_date }))?.code).toBe(code);
  });
});

describe('period limit', () => {
  test('states its limit, the count and the earliest allowed time', () => {
    expect(judged(under(MONTHLY, { earlier: [paid('2026-10-15')] }))).toEqual({
      code: 'too_many_in_period',
      detail:
        'Expected at most 1 per month, as agreed, including payments in flight; got 2. It may be allowed from 2026-10-31T13:00:00.000Z.',
      limit: 1,
      met: 2,
      passesFrom: '2026-10-31T13:00:00.000Z',
    });
  });

  test.each<[PaymentOutcome | undefined, boolean]>([
    [undefined, true],
    ['in_flight', true],
    ['settled', true],
    ['unresolved', true],
    ['failed', false],
    ['not_sent', false],
  ])('counts an earlier payment that is %s: %s', (outcome, isRefused) => {
    const refusal = judged(under(MONTHLY, { earlier: [paid('2026-10-15', outcome)] }));
    expect(refusal !== undefined).toBe(isRefused);
  });

  test.each([
    ['2026-10-02', 'too_many_in_period'],
    ['2026-09-30', undefined],
  ])('counts a payment on the day of submission: %s', (day, code) => {
    const earlier = [paid('2026-09-30', 'settled', { sentAt: `${day}T01:00:00.000Z` })];
    expect(judged(under(MONTHLY, { earlier }), {}, '2026-10-31T01:00:00.000Z')?.code).toBe(code);
  });

  test('does not apply to ad hoc payments and unknown frequencies', () => {
    const earlier = [paid('2026-10-15')];
    expect(judged(under({ ...ADHOC, count: 1 }, { earlier }))).toBeUndefined();
    expect(judged(under({ ...ADHOC, frequency: 'lunar' }, { earlier }))).toBeUndefined();
  });
});

describe('agreement check', () => {
  test.each(['pending', 'created', 'suspended', 'declined', 'expired', 'cancelled', 'failed'] as const)(
    'refuses payments while %s',
    (state) => {
      expect(judged(under(ADHOC, { state }))).toMatchObject({ code: 'agreement_not_active', met: state });
    },
  );

  test.each([
    ['its authority is in doubt', under(ADHOC, { isInDoubt: true })],
    ['it is contested', under(ADHOC, { isContested: true })],
    ['its terms are unknown', { ...under(ADHOC), mandate: undefined }],
  ])('refuses a payment while %s', (_why, standing) => {
    expect(judged(standing)?.code).toBe('agreement_held');
  });

  test('refuses a payment after six consecutive failures', () => {
    expect(judged(under(ADHOC, { consecutiveFailures: 5 }))).toBeUndefined();
    expect(judged(under(ADHOC, { consecutiveFailures: 6 }))).toMatchObject({
      code: 'too_many_failures',
      limit: 6,
      met: 6,
    });
  });

  test.each([
    [0, 5, undefined],
    [0, 6, 'too_many_in_flight'],
    [3, 2, undefined],
    [3, 3, 'too_many_in_flight'],
    [6, 0, 'too_many_failures'],
  ])('limits failed and pending payments to six: %i and %i', (consecutiveFailures, inFlight, code) => {
    expect(judged(under(ADHOC, { consecutiveFailures, inFlight }))?.code).toBe(code);
  });

  test('requires a creditor if the agreement names none', () => {
    const nameless = under(ADHOC, { mandate: { creditor: null } });
    expect(judged(nameless)).toMatchObject({ code: 'creditor_needed', pointer: '/creditor' });
    expect(judged(nameless, { creditor: { party_name: 'B' } })).toBeUndefined();
  });
});
