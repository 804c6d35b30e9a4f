import { ERROR_TABLE } from '../../../payments-api/error-table.js';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { aPaymentAnswer, anAgreementAnswer } from '../../support/payments-api/examples.js';
import { agreementFrom, paymentFrom } from '../../../payments-api/answers/snapshot.js';
import { instantFrom } from '../../../payments-api/answers/values.js';

const agreement = (overrides: object) => agreementFrom(anAgreementAnswer(overrides), { state: 'unknown' });
const payment = (overrides: object) => paymentFrom(aPaymentAnswer(overrides), { state: 'unknown' });

test.each([
  [{ name: 'N' }, 'N'],
  [{ party_name: 'P' }, 'P'],
  [{ name: 'N', party_name: 'P' }, 'P'],
  [{ name: 'N', party_name: null }, 'N'],
])('the payment creditor’s name is read from %j', (creditor, name) => {
  expect(payment({ creditor })?.order.creditor?.party_name).toBe(name);
});

test.each([
  ['NOAS', { code: 'NOAS' }],
  ['the payer said no', { detail: 'the payer said no' }],
  [
    { code: 'MD16', title: 'T', detail: 'D' },
    { code: 'MD16', title: 'T', detail: 'D' },
  ],
  [{ code: null, narrative: 'N' }, { narrative: 'N' }],
  [{}, undefined],
  ['', undefined],
  [null, undefined],
  [7, undefined],
])('the state reason %j is readable', (state_reason, reason) => {
  expect(agreement({ state_reason })?.reason).toEqual(reason);
});

test('unknown states and enum values are preserved', () => {
  const snapshot = agreement({ state: 'hibernating', purpose: 'space_travel' });
  expect(snapshot).toMatchObject({ state: 'hibernating', mandate: { purpose: 'space_travel' } });
});

test.each([
  [
    { code: 'AM04', title: 'T', detail: 'D', retryable: true },
    { code: 'AM04', title: 'T', detail: 'D', retryable: true },
  ],
  [{ code: 'X', retryable: null }, { code: 'X' }],
  ['UKNWN', { code: 'UKNWN' }],
  [null, undefined],
])('the payment failure %j is readable', (failure, expected) => {
  expect(payment({ failure })?.failure).toEqual(expected);
});

test('a fractional amount is omitted', () => {
  expect(payment({ amount: 42.5 })?.order).not.toHaveProperty('amount');
});

test('known error codes get advice from the error table', () => {
  const advice = ERROR_TABLE['ZPPAY24']?.advice;
  expect(payment({ failure: { code: 'ZPPAY24', title: 'Offline' } })?.failure?.next).toBe(advice);
  expect(payment({ failure: { code: 'AM04' } })?.failure).toEqual({ code: 'AM04' });
  expect(agreement({ state_reason: 'ZPAGR15' })?.reason?.next).toBe(ERROR_TABLE['ZPAGR15']?.advice);
});

test('a snapshot with a different uid is rejected', () => {
  expect(agreementFrom(anAgreementAnswer(), { uid: 'agr-other', state: 'unknown' })).toBeUndefined();
});

test('property: invalid values are treated as absent', () => {
  const odd = fc.constantFrom(null, 7, 'text', true, [], {}, undefined);
  const keys = Object.keys(anAgreementAnswer()).filter((key) => key !== 'uid');
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), odd), (overrides) => {
      expect(agreement(overrides)?.uid).toBe('agr-2f9c');
    }),
  );
});

test.each([
  ['2026-10-05T09:30:00.250+11:00', '2026-10-04T22:30:00.250Z'],
  ['2026-10-04T22:30:00Z', '2026-10-04T22:30:00.000Z'],
  ['2026-10-04T22:30:00.123456Z', '2026-10-04T22:30:00.123Z'],
  ['2026-10-04T22:30:00', undefined],
  ['2026-10-04', undefined],
  ['2026-02-30T00:00:00Z', undefined],
  ['9999-12-31T23:00:00-10:00', undefined],
  ['yesterday', undefined],
  [1_790_000_000, undefined],
  [null, undefined],
])('the timestamp %j is read as %j', (value, instant) => {
  expect(instantFrom(value)).toBe(instant);
});
