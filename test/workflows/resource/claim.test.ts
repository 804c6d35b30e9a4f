import { expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import {
  A_MANDATE,
  aRefundOrder,
  anOrder,
  fetchedAgreement,
  fetchedPayment,
  fetchedRefund,
} from '../../support/workflows/provider.js';
import { HOUR, MINUTE, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
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
  // Proven by a secret of a connection that will not own the payment.
  await payment.receive(aFact('settled', { id: 'hint', provenConnectionId: 'other' }));
  const { uid } = payment;
  const claim = (agreement: string, requestedAt = scene.now()) =>
    payment.claim({ uid, connectionId: 'acme', order: anOrder(agreement), requestedAt });
  return { scene, payment, claim };
}

test('the first claim of a uid that only an event has named wins, and repeats change nothing', async () => {
  const { scene, payment, claim } = await named();
  const holder = { order: { agreement_uid: 'agr-1' }, requestedAt: scene.now() };
  expect(await claim('agr-1')).toMatchObject(holder);
  expect(payment.view()).toMatchObject({ connectionId: 'acme', state: 'requested', submissions: 0 });
  expect(payment.state().facts).toMatchObject([{ type: 'failed', authenticated: false }]);
  expect(await claim('agr-2')).toMatchObject(holder);
  expect(await claim('agr-1')).toMatchObject(holder);
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

test('a claimed refund is sent once the provider does not have it, and its payment then counts it', async () => {
  const { calls, now, pass, ...scene } = inVirtualTime({
    adoptRefund: () => unanswered<never>().answer,
    findRefund: () => Promise.resolve(null),
    submitRefund: ({ uid, order }) => Promise.resolve(fetchedRefund(uid, 'processed', order)),
    reportRefund: () => Promise.resolve(),
  });
  const refund = await scene.refund({ connectionId: 'other', order: undefined });
  await refund.receive(aFact('processed', { namedConnectionId: 'other' }));
  const { uid } = refund;
  const input = { uid, connectionId: 'acme', order: aRefundOrder('pay-1'), requestedAt: now() };
  expect(await refund.claim(input)).toMatchObject({ state: 'requested', order: input.order });
  await pass(MINUTE);
  expect(calls).not.toContain('submitRefund');
  expect(calls).not.toContain('reportRefund');
  await pass(HOUR);
  expect(refund.view()).toMatchObject({ state: 'processed', submissions: 1 });
  expect(calls).toContain('reportRefund');
});

test.each([
  ['is created', null],
  ['that the provider has is not created again', 'created'],
])('a claimed agreement %s after a search', async (_, state) => {
  const { calls, pass, ...scene } = inVirtualTime({
    adoptAgreement: () => unanswered<never>().answer,
    findAgreement: ({ uid }) => Promise.resolve(state === null ? null : fetchedAgreement(uid, state)),
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    watchAgreement: () => unanswered<never>().answer,
  });
  const agreement = await scene.agreement({ connectionId: 'other', mandate: undefined });
  await agreement.receive(aFact('cancelled', { namedConnectionId: 'other' }));
  const input = { uid: agreement.uid, connectionId: 'acme', mandate: A_MANDATE, requestedBy: 'key-1' };
  const requested = { requestedMandate: A_MANDATE, requestedBy: 'key-1', state: 'pending', adopted: false };
  expect(await agreement.claim(input)).toMatchObject(requested);
  expect(await agreement.claim({ ...input, requestedBy: 'key-2' })).toMatchObject(requested);
  await pass(HOUR);
  expect(agreement.view()).toMatchObject({ ...requested, state: 'created' });
  expect(calls.filter((name) => name === 'createAgreement')).toHaveLength(state === null ? 1 : 0);
});
