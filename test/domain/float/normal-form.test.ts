import { expect, test } from 'vitest';
import { normalAccount, normalPhrases, normalText } from '../../../domain/float/normal-form.js';

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
