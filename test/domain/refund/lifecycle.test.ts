import { describe, expect, test } from 'vitest';
import { fold } from '../../../domain/facts/fold.js';
import {
  MOST_REFUNDS,
  REFUND_LIFECYCLE,
  REFUND_STATES,
  isDescribedAsRefund,
  isRefundFinal,
  outcomeOfRefund,
  refusalOfRefund,
  type RefundEntry,
  type RefundOutcome,
  type Refundable,
} from '../../../domain/refund/lifecycle.js';
import { aFact } from '../../support/facts.js';
import { aRefundOrder } from '../../support/workflows/provider.js';

const AT = '2026-11-01T00:00:00.000Z';
const use = (uid: string, body = 'b') => ({ key: 'k-1', uid, body });
const entry = (uid: string, amount: number, outcome: RefundOutcome, over: Partial<RefundEntry> = {}) => ({
  ...{ uid, amount, outcome, order: aRefundOrder('pay-1', amount) },
  ...{ requestedAt: AT, outcomeAt: AT },
  ...over,
});
const settled = (...refunds: RefundEntry[]): Refundable => ({ state: 'settled', amount: 4200, refunds });
const asking = (uid: string, amount: number) => ({ uid, order: aRefundOrder('pay-1', amount) });
const codeOf = (payment: Refundable, request: Parameters<typeof refusalOfRefund>[1]) =>
  refusalOfRefund(payment, request)?.code;

describe('refund admission', () => {
  test.each<[string, RefundOutcome, number, string | undefined]>([
    ['in progress', 'under_way', 3200, undefined],
    ['in progress', 'under_way', 3201, 'refund_over_payment'],
    ['processed', 'processed', 3201, 'refund_over_payment'],
    ['unresolved, possibly paid back', 'unresolved', 3201, 'refund_over_payment'],
    ['failed, with its amount released', 'failed', 4200, undefined],
  ])('beside a refund that is %s (%s) of 1000 cents: %i more gives %s', (_what, outcome, amount, code) => {
    expect(codeOf(settled(entry('ref-0', 1000, outcome)), asking('ref-1', amount))).toBe(code);
  });

  test.each<[Refundable['state'], number | undefined]>([
    ['created', 4200],
    ['failed', 4200],
    ['unknown', 4200],
    ['settled', undefined],
  ])('requires a settled payment with a known amount, and refuses %s (%s)', (state, amount) => {
    expect(codeOf({ state, amount, refunds: [] }, asking('ref-1', 1))).toBe('payment_not_settled');
  });

  test('limits the number of refunds per payment', () => {
    const refunds = Array.from({ length: MOST_REFUNDS }, (_, n) => entry(`ref-${n}`, 1, 'failed'));
    expect(codeOf(settled(...refunds), asking('ref-new', 1))).toBe('too_many_refunds');
    expect(codeOf(settled(...refunds), asking('ref-1', 1))).toBeUndefined();
  });

  test('is idempotent by uid and key and refuses different content', () => {
    const whole = { ...settled(entry('ref-1', 4200, 'processed')), uses: [use('ref-1')] };
    const same = asking('ref-1', 4200);
    expect(codeOf(whole, same)).toBeUndefined();
    expect(codeOf(whole, { ...same, use: use('ref-1') })).toBeUndefined();
    expect(codeOf(whole, asking('ref-1', 4199))).toBe('refund_uid_conflict');
    expect(codeOf(whole, { ...same, use: use('ref-1', 'other') })).toBe('refund_key_conflict');
    expect(codeOf(whole, { ...asking('ref-2', 1), use: use('ref-2') })).toBe('refund_key_conflict');
  });
});

test.each([
  ['float_bank_payment', 'REFUND', true],
  ['float_bank_payment', 'A REFUND', false],
  ['pay_to_payment', 'A refund', true],
] as const)('a %s described as "%s" may be sent: %s', (type, description, isSo) => {
  const refund_payment =
    type === 'pay_to_payment'
      ? { type, agreement_uid: 'agr-9', amount: 1, description }
      : { type, float_bank_account_id: '0195e5a4-0000-7000-8000-000000000001', amount: 1, description };
  expect(isDescribedAsRefund({ original_payment_uid: 'pay-1', refund_payment })).toBe(isSo);
});

test.each([
  [['processed'], 'processed'],
  [['failed'], 'failed'],
  [['failed', 'processed'], 'processed'],
  [['refused'], 'failed'],
  [['unresolved', 'processed'], 'processed'],
])('the facts %j lead to %s', (types, state) => {
  const facts = types.map((type, at) => aFact(type, { publishedAt: `2026-11-01T00:00:0${at}.000Z` }));
  expect(fold(REFUND_LIFECYCLE, 'requested', facts)).toMatchObject({ state, conflicts: [], unknown: [] });
});

test('a refund is in progress exactly until its state is final', () => {
  for (const state of REFUND_STATES)
    expect(outcomeOfRefund(state) === 'under_way').toBe(!isRefundFinal(state));
});
