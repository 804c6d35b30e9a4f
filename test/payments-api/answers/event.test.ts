import { expect, test } from 'vitest';
import { NOW, anEvent } from '../../support/payments-api/examples.js';
import { historyFact } from '../../../payments-api/answers/event.js';

const RECEIPT = { receivedAt: NOW, authenticated: true };
const fact = (overrides: object) => historyFact(anEvent(overrides), RECEIPT);

test.each([
  ['payto_agreement.activated', 'activated'],
  ['payto_agreement.amendment_recalled', 'amendment_recalled'],
  ['payto_agreement.amended_recalled', 'amendment_recalled'],
  ['payto_agreement.brand_new', 'brand_new'],
  ['somewhere.else', 'somewhere.else'],
  ['payto_payment.settled', 'payto_payment.settled'],
  ['payto_agreement.', 'payto_agreement.'],
])('event type %s is read as %s', (type, expected) => {
  expect(fact({ type })?.type).toBe(expected);
});

test.each([
  [null, undefined],
  [undefined, undefined],
  [{}, undefined],
  [{ caused_by: 'debtor', reason: { code: 'MD16' } }, undefined],
  [{ mms_agreement_id: 'abc' }, { mms_agreement_id: 'abc' }],
  [{ caused_by: 'debtor', changes: { amount: 1 } }, { changes: { amount: 1 } }],
  [
    { caused_by: 7, reason: [] },
    { caused_by: 7, reason: [] },
  ],
  ['words', { body: 'words' }],
  [[1], { body: [1] }],
])('body %j is stored as detail %j', (body, detail) => {
  expect(fact({ body })?.detail).toEqual(detail);
});

test('long texts are cut, and say how long they were', () => {
  const cut = `${'a'.repeat(8192)}… [60000 characters]`;
  const text = 'a'.repeat(60_000);
  expect(fact({ body: { caused_by: text, list: [text] } })).toMatchObject({
    causedBy: cut,
    detail: { list: [cut] },
  });
});

test('a reason with additional fields is also stored in the detail', () => {
  const reason = { code: 'MD16', title: 'T', actor: 'bank' };
  expect(fact({ body: { reason } })).toMatchObject({
    reason: { code: 'MD16', title: 'T' },
    detail: { reason },
  });
});

test.each([
  [{ code: 7, title: 'T' }, { title: 'T' }],
  [{}, undefined],
  [7, undefined],
])('an invalid reason %j is stored unchanged in the detail', (reason, read) => {
  expect(fact({ body: { reason } })?.reason).toEqual(read);
  expect(fact({ body: { reason } })?.detail).toEqual({ reason });
});

test('fields beside the body are stored, except links', () => {
  const event = { body: { a: 1 }, links: { resource: 'x' }, sequence: 7, __proto__: { evil: true } };
  expect(fact(event)?.detail).toEqual({ a: 1, sequence: 7 });
});

test.each([[['x']], ['x'], [7]])('invalid metadata %j is stored in the detail', (resource_metadata) => {
  expect(fact({ body: null, resource_metadata })?.detail).toEqual({ resource_metadata });
});

test('the failure supplies the reason and stays in the detail', () => {
  const failure = { code: 'MMS.API.9001', title: 'T', detail: 'D' };
  expect(fact({ body: { failure } })).toMatchObject({ reason: failure, detail: { failure } });
});

test.each([undefined, null, 'soon', 7])(
  'published_at %j is replaced by the time of receipt',
  (published_at) => {
    expect(fact({ published_at })?.publishedAt).toBe(NOW);
  },
);

test('entries without an id get an id derived from their content', () => {
  const one = fact({ id: null })?.id;
  expect(fact({ id: null })?.id).toBe(one);
  expect(fact({ id: null, type: 'payto_agreement.other' })?.id).not.toBe(one);
});

test.each([null, 7, 'x', []])('%j is not a fact', (entry) => {
  expect(historyFact(entry, RECEIPT)).toBeUndefined();
});
