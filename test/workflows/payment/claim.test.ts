import { expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { anOrder, fetchedPayment } from '../../support/workflows/provider.js';
import { HOUR, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';

async function named(given: Partial<Activities> = {}) {
  const scene = inVirtualTime({
    adoptPayment: () => unanswered<never>().answer,
    findPayment: () => Promise.resolve(null),
    lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')),
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')),
    ...given,
  });
  const payment = await scene.payment({ connectionId: 'other', order: undefined });
  await payment.receive(aFact('failed', { namedConnectionId: 'other' }));
  const { uid } = payment;
  const claim = (agreement: string, requestedAt = scene.now()) =>
    payment.claim({ uid, connectionId: 'acme', order: anOrder(agreement), requestedAt });
  return { scene, payment, claim };
}

test('the first claim of a uid that only an event has named wins, and repeats change nothing', async () => {
  const { scene, payment, claim } = await named();
  const holder = { of: 'agr-1', amount: 4200, requestedAt: scene.now() };
  expect(await claim('agr-1')).toEqual(holder);
  expect(payment.view()).toMatchObject({ connectionId: 'acme', state: 'requested', submissions: 0 });
  expect(payment.state().facts).toMatchObject([{ type: 'failed', authenticated: false }]);
  expect(await claim('agr-2')).toEqual(holder);
  expect(await claim('agr-1')).toEqual(holder);
  await scene.pass(HOUR);
  expect(payment.view()).toMatchObject({ state: 'settled', submissions: 1 });
  expect(scene.calls.filter((name) => name === 'findPayment')).toHaveLength(4);
});

test('a claimed payment that the provider has is not sent', async () => {
  const { scene, payment, claim } = await named({
    findPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')),
  });
  await claim('agr-1');
  await scene.pass(HOUR);
  expect(payment.view()).toMatchObject({ state: 'settled', submissions: 0 });
});

test('a payment that the provider has shown keeps its agreement', async () => {
  const { payment, claim } = await named({
    adoptPayment: ({ uid }) => Promise.resolve({ ...fetchedPayment(uid, 'created'), owner: 'other' }),
  });
  const { order } = payment.view();
  await claim('agr-2');
  expect(payment.view()).toMatchObject({ connectionId: 'other' });
  expect(payment.view().order).toEqual(order);
});
