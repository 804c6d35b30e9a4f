import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { fetchedPayment, nothingNew } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';

const stopped = () => ApplicationFailure.create({ type: 'stopped', nonRetryable: true });
const MINUTE = 60 * SECOND;

function aScene() {
  const stop = { isInForce: true };
  const scene = inVirtualTime({
    submitPayment: ({ uid }) =>
      stop.isInForce ? Promise.reject(stopped()) : Promise.resolve(fetchedPayment(uid, 'created')),
    awaitResumption: () => (stop.isInForce ? Promise.reject(nothingNew(60_000)) : Promise.resolve()),
    watchPayment: () => Promise.reject(nothingNew(HOUR)),
  });
  return { stop, scene };
}

test('a stopped payment is unsent, shows the stop and is sent once it ends', async () => {
  const { stop, scene } = aScene();
  const payment = await scene.payment();
  await scene.pass(10 * MINUTE);
  const until = '2026-11-01T12:59:59.999Z';
  expect(payment.view()).toMatchObject({
    state: 'requested',
    submissions: 0,
    awaiting: { what: 'stop', until },
  });
  expect(scene.calls.filter((name) => name === 'submitPayment')).toHaveLength(1);
  stop.isInForce = false;
  await scene.pass(MINUTE);
  expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
});

test('a stopped payment asks its agreement before it is sent', async () => {
  const { stop, scene } = aScene();
  const payment = await scene.payment();
  stop.isInForce = false;
  expect(scene.calls).not.toContain('askAgreement');
  await scene.pass(MINUTE);
  expect(payment.state().submission).toMatchObject({
    stage: 'open',
    hasWaited: undefined,
    isStopped: undefined,
  });
  expect(scene.calls.indexOf('askAgreement')).toBeLessThan(scene.calls.lastIndexOf('submitPayment'));
  expect(scene.calls).toContain('askAgreement');
});

test('a payment waits again if a second stop starts', async () => {
  const { stop, scene } = aScene();
  const payment = await scene.payment();
  stop.isInForce = false;
  await scene.pass(1);
  stop.isInForce = true;
  await scene.pass(2 * MINUTE);
  expect(payment.view()).toMatchObject({ submissions: 0, awaiting: { what: 'stop' } });
});

test('a payment stopped beyond its day lapses and is never sent', async () => {
  const { stop, scene } = aScene();
  const payment = await scene.payment();
  await scene.pass(DAY);
  expect(payment.view()).toMatchObject({ state: 'lapsed', submissions: 0 });
  stop.isInForce = false;
  await scene.pass(DAY);
  expect(payment.isOver()).toBe(true);
  expect(scene.calls.filter((name) => name === 'submitPayment')).toHaveLength(1);
});

test('a stopped payment can be withdrawn', async () => {
  const { scene } = aScene();
  const payment = await scene.payment();
  await payment.withdraw('ordered twice');
  expect(payment.view()).toMatchObject({ state: 'withdrawn', submissions: 0 });
});
