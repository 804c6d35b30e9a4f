import { expect, test } from 'vitest';
import { repeatOfAction, repeatOfPayment } from '../../../domain/commands/repeat.js';
import { anOrder } from '../../support/workflows/provider.js';

const order = anOrder('agr');
const USE = { key: 'k', uid: 'p', body: 'b' };
const ADMITTED = { ledger: [{ uid: 'p', amount: order.amount, order }], keys: [USE] };
const OLD = { ledger: [{ uid: 'p', amount: order.amount }] };

test.each([
  [ADMITTED, { uid: 'p', order }, 'same'],
  [ADMITTED, { uid: 'p', order: { ...order, reference: 'Else' } }, 'other'],
  [ADMITTED, { uid: 'p-2', order }, 'none'],
  [ADMITTED, { uid: 'p', order, use: USE }, 'same'],
  [ADMITTED, { uid: 'p-2', order, use: { ...USE, uid: 'p-2' } }, 'other_key'],
  [ADMITTED, { uid: 'p', order, use: { ...USE, body: 'b-2' } }, 'other_key'],
  [ADMITTED, { uid: 'p-2', order, use: { ...USE, key: 'k-2', uid: 'p-2' } }, 'none'],
  [OLD, { uid: 'p', order: { ...order, reference: 'Else' } }, 'same'],
  [OLD, { uid: 'p', order: { ...order, amount: order.amount + 1 } }, 'other'],
])('of what is kept, payment %# is %3$s', (kept, asked, repeat) => {
  expect(repeatOfPayment(kept, asked)).toBe(repeat);
});

test('a command is known by its key, and its body is compared whatever the order of its fields', () => {
  const body = { reason: 'customer_requested', narrative: 'Asked' } as const;
  const known = [{ key: 'k', command: { kind: 'suspension' as const, body } }];
  const turned = { narrative: body.narrative, reason: body.reason };
  expect(repeatOfAction(known, { key: 'k', command: { kind: 'suspension', body: turned } })).toBe('same');
  expect(repeatOfAction(known, { key: 'k', command: { kind: 'cancellation', body } })).toBe('other');
  expect(repeatOfAction(known, { key: 'k-2', command: { kind: 'suspension', body } })).toBe('none');
});
