import { describe, expect, test } from 'vitest';
import { byWeight, type CandidateReason } from '../../../domain/float/candidates.js';
import { creditIn, isSameResolution, uidsIn } from '../../../domain/float/credit.js';
import { A_CREDIT } from '../../support/api/builders.js';
import type { Json } from '../../../domain/facts/fact.js';
import { entryOf, maybeSame, type SimilarEntry } from '../../../domain/float/same-credit.js';
import { normalAccount, normalPhrases, normalText } from '../../../domain/float/normal-form.js';

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

const AT = '2026-10-01T01:00:00.000Z';
const REPORT = { uid: 'n-1', accountUid: 'f-1', amount: 700, receivedAt: AT, reference: 'INV-007' };
const entry = (id: string, over: Partial<SimilarEntry> = {}): SimilarEntry => ({
  ...{
    id,
    at: AT,
    amount: 700,
    balanceAfter: 700,
    connectionId: 'acme',
    caseUid: undefined,
    isTaken: false,
    isDecided: false,
  },
  ...{ description: 'Rent inv 7', ...over },
});
const HOURS_LATER = '2026-10-01T05:00:00.000Z';

test.each<[string, SimilarEntry[], string | undefined]>([
  ['the only one that names the reference', [entry('a'), entry('b', { description: 'Rent' })], 'a'],
  ['the one of the same minute', [entry('a', { at: HOURS_LATER }), entry('b')], 'b'],
  ['none of two', [entry('a'), entry('b')], undefined],
  ['none of another case', [entry('a', { isTaken: true })], undefined],
  ['none without text', [entry('a', { description: undefined })], undefined],
])('a notification has %s', (_, entries, expected) => {
  expect(entryOf(REPORT, entries, true)?.id).toBe(expected);
});

test('an entry of another hour counts only once there was time for a nearer one', () => {
  const far = [entry('a', { at: HOURS_LATER })];
  expect([entryOf(REPORT, far, false), entryOf(REPORT, far, true)?.id]).toEqual([undefined, 'a']);
});

test('a short reference is in any text by chance, and equal descriptions count', () => {
  const short = { ...REPORT, reference: '7' };
  expect(entryOf(short, [entry('a')], true)).toBeUndefined();
  expect(entryOf({ ...short, description: 'rent INV-7' }, [entry('a')], true)?.id).toBe('a');
  expect([
    maybeSame({}, { reference: 'x' }),
    maybeSame({ reference: 'INV-8' }, { description: 'INV-9' }),
  ]).toEqual([...[true, false]]);
});

test.each(['200001-12340009', '200001-012340009', '200 001 12340009', '200-001 0012340009'])(
  'an account is the same however it is written: %s',
  (written) => {
    expect(normalAccount(written)).toBe('200001-12340009');
  },
);

test('a branch keeps its leading zero, and an alias its hyphen', () => {
  expect(normalAccount('014209-12345678')).toBe('014209-12345678');
  expect(normalAccount(' Mary-Ann@Example.com')).toBe('mary-ann@example.com');
});

test('capitals, blanks, hyphens and leading zeros do not distinguish references', () => {
  expect(['INV-0070', 'inv 70', 'Inv.70'].map(normalText)).toEqual(['inv70', 'inv70', 'inv70']);
  expect(normalText('INV 7')).not.toBe(normalText('INV 70'));
});

test('a text names its words, and words together', () => {
  expect(normalPhrases(['PAY 07, thanks'])).toEqual(['pay7thanks', 'pay', 'pay7', '7', '7thanks', 'thanks']);
  expect(normalPhrases(['x '.repeat(500)]).every((phrase) => phrase.length <= 64)).toBe(true);
});
