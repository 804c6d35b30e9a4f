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

describe('amounts', () => {
  test.each<[string, PaymentTerms, Partial<PaymentOrder>, Earlier[], string | undefined]>([
    ['up to the maximum', ADHOC, {}, [], undefined],
    ['over the maximum', ADHOC, { amount: 501 }, [], 'amount_over_maximum'],
    ['a null maximum', { ...ADHOC, max_amount: null }, { amount: 501 }, [], undefined],
    ['the fixed one', FIXED, {}, [], undefined],
    ['less than the fixed one', FIXED, { amount: 499 }, [], 'amount_not_fixed'],
    ['the first one, first', STAGED, { amount: 700 }, [], undefined],
    ['the regular one, first', STAGED, {}, [], 'amount_not_fixed'],
    [
      'the first one, while another may be the first',
      STAGED,
      { amount: 700 },
      [paid('2026-09-01')],
      undefined,
    ],
    ['the first one, later', STAGED, { amount: 700 }, [paid('2026-09-01', 'settled')], 'amount_not_fixed'],
    ['the regular one, later', STAGED, {}, [paid('2026-09-01', 'settled')], undefined],
    [
      'the first one, after one that failed',
      STAGED,
      { amount: 700 },
      [paid('2026-09-01', 'failed')],
      undefined,
    ],
    ['the last one, which no field tells', STAGED, { amount: 900 }, [], undefined],
    ['the last one of a balloon', BALLOON, { amount: 900, last_payment: true }, [], undefined],
    ['the regular one as the last of a balloon', BALLOON, { last_payment: true }, [], 'amount_not_fixed'],
    [
      'the last one of a balloon, sooner',
      BALLOON,
      { amount: 900, last_payment: false },
      [],
      'amount_not_fixed',
    ],
  ])('%s', (_name, terms, order, earlier, code) => {
    expect(judged(under(terms, { earlier }), order)?.code).toBe(code);
  });

  test('where it is not known whether there were others, the first one passes', () => {
    expect(judged(under(STAGED, { hasUnknownPayments: true }), { amount: 700 })).toBeUndefined();
    expect(judged(under(STAGED, { hasUnknownPayments: true }))).toBeUndefined();
  });
});

describe('the last payment', () => {
  test.each<[string, PaymentTerms, Partial<PaymentOrder>, Earlier[], string | undefined]>([
    ['a balloon has to say', BALLOON, {}, [], 'last_payment_needed'],
    ['no other may', ADHOC, { last_payment: false }, [], 'last_payment_not_allowed'],
    [
      'none after it',
      BALLOON,
      { last_payment: false },
      [paid('2026-09-01', 'settled', { isLast: true })],
      'last_payment_made',
    ],
    [
      'one after it failed',
      BALLOON,
      { last_payment: false },
      [paid('2026-09-01', 'failed', { isLast: true })],
      undefined,
    ],
  ])('%s', (_name, terms, order, earlier, code) => {
    expect(judged(under(terms, { earlier }), order)?.code).toBe(code);
  });
});

describe('days', () => {
  const valid = { validity_start_date: '2026-10-04', validity_end_date: '2027-04-04' };
  test.each<[string, string, string | undefined, string | null | undefined]>([
    [
      'a moment before the first day',
      '2026-10-03T13:59:59.999Z',
      'before_validity',
      '2026-10-03T14:00:00.000Z',
    ],
    ['the first moment', '2026-10-03T14:00:00.000Z', undefined, undefined],
    ['the last moment', '2027-04-04T13:59:59.999Z', undefined, undefined],
    ['a moment after the last day', '2027-04-04T14:00:00.000Z', 'after_validity', null],
  ])('of validity: %s', (_name, now, code, passesFrom) => {
    const refusal = judged(under(ADHOC, { mandate: valid }), {}, now);
    expect(refusal?.code).toBe(code);
    expect(refusal?.passesFrom).toBe(passesFrom);
  });

  test.each([
    ['2026-10-16', '2027-01-01', 'before_first_payment_date'],
    ['2026-10-15', '2026-10-15', undefined],
    ['2026-09-01', '2026-10-14', 'after_last_payment_date'],
  ])('of payment: from %s to %s', (first_payment_date, last_payment_date, code) => {
    expect(judged(under({ ...ADHOC, first_payment_date, last_payment_date }))?.code).toBe(code);
  });
});

describe('a period', () => {
  test('names its limit, what was met, and when another one may be taken', () => {
    expect(judged(under(MONTHLY, { earlier: [paid('2026-10-15')] }))).toEqual({
      code: 'too_many_in_period',
      detail:
        'Expected at most 1 a month, as agreed, with what is in flight; met 2. It may pass from 2026-10-31T13:00:00.000Z on.',
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
  ])('one that is %s uses it up: %s', (outcome, isRefused) => {
    const refusal = judged(under(MONTHLY, { earlier: [paid('2026-10-15', outcome)] }));
    expect(refusal !== undefined).toBe(isRefused);
  });

  test.each([
    ['2026-10-02', 'too_many_in_period'],
    ['2026-09-30', undefined],
  ])('counts one on the day on which it was sent: %s', (day, code) => {
    const earlier = [paid('2026-09-30', 'settled', { sentAt: `${day}T01:00:00.000Z` })];
    expect(judged(under(MONTHLY, { earlier }), {}, '2026-10-31T01:00:00.000Z')?.code).toBe(code);
  });

  test('is not judged where payments may come at any time, nor by a frequency that nobody knows', () => {
    const earlier = [paid('2026-10-15')];
    expect(judged(under({ ...ADHOC, count: 1 }, { earlier }))).toBeUndefined();
    expect(judged(under({ ...ADHOC, frequency: 'lunar' }, { earlier }))).toBeUndefined();
  });
});

describe('the agreement', () => {
  test.each(['pending', 'created', 'suspended', 'declined', 'expired', 'cancelled', 'failed'] as const)(
    'nothing while it is %s',
    (state) => {
      expect(judged(under(ADHOC, { state }))).toMatchObject({ code: 'agreement_not_active', met: state });
    },
  );

  test.each([
    ['it is in doubt', under(ADHOC, { isInDoubt: true })],
    ['it is contested', under(ADHOC, { isContested: true })],
    ['its terms are not known', { ...under(ADHOC), mandate: undefined }],
  ])('nothing while %s', (_why, standing) => {
    expect(judged(standing)?.code).toBe('agreement_held');
  });

  test('nothing after six failures in a row', () => {
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
  ])('nothing with six that failed in a row or may yet: %i and %i', (consecutiveFailures, inFlight, code) => {
    expect(judged(under(ADHOC, { consecutiveFailures, inFlight }))?.code).toBe(code);
  });

  test('asks for a creditor where it names none', () => {
    const nameless = under(ADHOC, { mandate: { creditor: null } });
    expect(judged(nameless)).toMatchObject({ code: 'creditor_needed', pointer: '/creditor' });
    expect(judged(nameless, { creditor: { party_name: 'B' } })).toBeUndefined();
  });
});
