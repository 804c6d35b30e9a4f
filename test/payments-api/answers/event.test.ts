import { expect, test } from 'vitest';
import fc from 'fast-check';
import { NOW, anEvent } from '../../support/payments-api/examples.js';
import { historyFact } from '../../../payments-api/answers/event.js';

const SEEN = { receivedAt: NOW, authenticated: true };
const fact = (overrides: object) => historyFact(anEvent(overrides), SEEN);

test.each([
  ['payto_agreement.activated', 'activated'],
  ['payto_agreement.amendment_recalled', 'amendment_recalled'],
  ['payto_agreement.amended_recalled', 'amendment_recalled'],
  ['payto_agreement.brand_new', 'brand_new'],
  ['somewhere.else', 'somewhere.else'],
  ['payto_payment.settled', 'payto_payment.settled'],
  ['payto_agreement.', 'payto_agreement.'],
])('calls %s %s', (type, expected) => {
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
])('keeps of the body %j the detail %j', (body, detail) => {
  expect(fact({ body })?.detail).toEqual(detail);
});

test('keeps all of a reason that says more than a reason has place for', () => {
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
])('keeps the odd reason %j as it came', (reason, read) => {
  expect(fact({ body: { reason } })?.reason).toEqual(read);
  expect(fact({ body: { reason } })?.detail).toEqual({ reason });
});

test('keeps what stands beside the body, but for the link', () => {
  const said = { body: { a: 1 }, links: { resource: 'x' }, sequence: 7, __proto__: { evil: true } };
  expect(fact(said)?.detail).toEqual({ a: 1, sequence: 7 });
});

test.each([[['x']], ['x'], [7]])('keeps metadata of another shape, as %j', (resource_metadata) => {
  expect(fact({ body: null, resource_metadata })?.detail).toEqual({ resource_metadata });
});

test('takes the reason from a failure, which stays in the detail', () => {
  const failure = { code: 'MMS.API.9001', title: 'T', detail: 'D' };
  expect(fact({ body: { failure } })).toMatchObject({ reason: failure, detail: { failure } });
});

test.each([undefined, null, 'soon', 7])(
  'takes the moment of receipt where published_at is %j',
  (published_at) => {
    expect(fact({ published_at })?.publishedAt).toBe(NOW);
  },
);

test('gives the same id to the same entry without one, and another to another', () => {
  const one = fact({ id: null })?.id;
  expect(fact({ id: null })?.id).toBe(one);
  expect(fact({ id: null, type: 'payto_agreement.other' })?.id).not.toBe(one);
});

test.each([null, 7, 'x', []])('makes no fact of %j', (entry) => {
  expect(historyFact(entry, SEEN)).toBeUndefined();
});

test('never throws, and always makes a fact that is JSON', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('id', 'type', 'body', 'published_at', 'x'), fc.jsonValue()),
      (entry) => {
        const made = historyFact(entry, SEEN);
        expect(JSON.parse(JSON.stringify(made))).toMatchObject({ receivedAt: NOW, source: 'history' });
      },
    ),
  );
});
