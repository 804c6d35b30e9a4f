import { describe, expect, test } from 'vitest';
import { byWeight, type CandidateReason } from '../../../domain/float/candidates.js';
import { creditIn, isSameResolution, uidsIn } from '../../../domain/float/credit.js';
import { A_CREDIT } from '../../support/api/builders.js';
import type { Json } from '../../../domain/facts/fact.js';

const withDetail = (over: Record<string, Json>) => ({ ...A_CREDIT, detail: { ...A_CREDIT.detail, ...over } });

describe('a notification of an unmatched credit', () => {
  test('is read with the words of the provider', () => {
    expect(creditIn(A_CREDIT)).toEqual({
      ...{ uid: A_CREDIT.id, accountUid: 'float-1', amount: 700 },
      ...{ receivedAt: '2026-10-01T01:00:00.000Z', description: 'Rent of Mary', reference: 'INV-7' },
      ...{ payerName: 'Mary Payer', payerAccount: '200001-12340001' },
    });
    expect(creditIn(withDetail({ received_at: 'soon', debtor: null }))).toMatchObject({
      ...{ receivedAt: A_CREDIT.publishedAt, payerName: undefined },
    });
  });

  test.each<[string, typeof A_CREDIT]>([
    ['an amount of 0', withDetail({ amount: 0 })],
    ['a negative amount', withDetail({ amount: -5 })],
    ['half a cent', withDetail({ amount: 0.5 })],
    ['an amount as text', withDetail({ amount: '700' })],
    ['no account', withDetail({ creditor: null })],
    ['an account that is a path', withDetail({ creditor: { id: '../x' } })],
    ['an unusable id', { ...A_CREDIT, id: 'a b' }],
    ['another type', { ...A_CREDIT, type: 'float_accounts.other' }],
    ['no content', { ...A_CREDIT, detail: undefined }],
  ])('with %s is left to an operator', (_, fact) => {
    expect(creditIn(fact)).toBeUndefined();
  });
});

test('uids are found in texts, also before a full stop', () => {
  expect(uidsIn('PayTo payment pay-7. Thanks!', undefined, 'INV 5')).toEqual([
    ...['PayTo', 'payment', 'pay-7.', 'pay-7', 'Thanks', 'INV', '5'],
  ]);
  expect(uidsIn('..', 'x'.repeat(100))).not.toContain('..');
});

test('a resolution repeats another one with the same decision and match', () => {
  const one = { decision: 'matched', paymentUid: 'pay-1', reason: 'a', by: 'b' } as const;
  expect(isSameResolution(one, { ...one, reason: 'c', by: 'd' })).toBe(true);
  expect(isSameResolution(one, { ...one, paymentUid: 'pay-2' })).toBe(false);
  expect(isSameResolution(one, { ...one, decision: 'kept' })).toBe(false);
});

test('a rare coincidence counts more than several common ones', () => {
  const candidate = (uid: string, ...reasons: CandidateReason[]) => ({
    ...{ kind: 'payment' as const, uid, state: 'settled', amount: 1, reasons },
  });
  const sorted = byWeight([
    candidate('a', 'amount', 'time'),
    candidate('b', 'uid'),
    candidate('c', 'reference'),
  ]);
  expect(sorted.map(({ uid }) => uid)).toEqual(['b', 'c', 'a']);
});
