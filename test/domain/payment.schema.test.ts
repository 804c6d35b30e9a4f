import { describe, expect, test } from 'vitest';
import { RequestPayment } from '../../domain/payment.schema.js';
import { aPayment } from '../support/road.js';

describe('what a caller may say of a payment', () => {
  test.each([
    ['amount', 0],
    ['amount', -5],
    ['amount', 0.5],
    ['amount', 1_000_000_001],
    ['amount', '5'],
    ['reference', 'x'.repeat(36)],
    ['description', 'x'.repeat(281)],
    ['creditor_reference', ''],
    ['priority', 'soon'],
  ])('not %s of %s', (field, value) => {
    expect(RequestPayment.safeParse({ ...aPayment(), [field]: value }).success).toBe(false);
  });

  test('is unattended unless said otherwise', () => {
    expect(RequestPayment.parse(aPayment()).priority).toBe('unattended');
  });

  test('no field that is not known', () => {
    expect(RequestPayment.safeParse({ ...aPayment(), currency: 'AUD' }).success).toBe(false);
  });
});
