import { describe, expect, test } from 'vitest';
import { applyFact } from '../../../workflows/payment/state.js';
import { aFact } from '../../support/facts.js';
import { failure, fetchedPayment } from '../../support/workflows/provider.js';
import { DAY, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';

const taken: Partial<Activities> = {
  submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
};
const reported = (outcome: string, failures: number) => ({ outcome, failures });

describe('payment report to the agreement', () => {
  test('is sent once with the outcome and not while the payment is in flight', async () => {
    const scene = inVirtualTime(taken);
    const payment = await scene.payment();
    expect(scene.reports).toEqual([]);
    const settled = aFact('settled');
    await payment.receive(settled, settled);
    const { uid } = payment;
    const sent = { uid, amount: 4200, requestedAt: scene.now(), sentAt: scene.now() };
    expect(scene.reports).toEqual([{ ...sent, outcome: 'settled', at: settled.publishedAt, failures: 0 }]);
    expect(payment.isOver()).toBe(true);
    const again = await scene.payment({ uid, carried: payment.carried() });
    expect([again.isOver(), scene.reports.length]).toEqual([true, 1]);
  });

  test.each([
    [
      'is sent for a failure and for a later settlement',
      ['failed', 'settled'],
      [reported('failed', 1), reported('settled', 0)],
    ],
    ['is not sent for events that leave the payment in flight', ['pending', 'under_investigation'], []],
  ])('%s', async (_what, types, expected) => {
    const scene = inVirtualTime(taken);
    const { uid, carried } = await scene.payment();
    let state = carried();
    for (const type of types)
      state = (await scene.payment({ uid, carried: applyFact(state, aFact(type)) })).carried();
    expect(scene.reports).toMatchObject(expected);
  });

  test('corrects the time of an outcome that a look-up showed before its event', async () => {
    const scene = inVirtualTime({
      ...taken,
      lookUpPayment: ({ uid }) =>
        Promise.resolve({ ...fetchedPayment(uid, 'settled'), fetchedAt: scene.now() }),
    });
    const payment = await scene.payment();
    const lookedUpAt = scene.now();
    await payment.lookUpNow();
    expect(payment.view()).toMatchObject({ stateSince: lookedUpAt, stateSinceSource: 'lookup' });
    const { uid } = payment;
    const state = applyFact(payment.carried(), aFact('settled', { publishedAt: '2026-10-31T23:00:00.000Z' }));
    const later = await scene.payment({ uid, carried: state });
    expect(later.view()).toMatchObject({
      ...{ stateSince: '2026-10-31T23:00:00.000Z', stateSinceSource: 'webhook', attention: [] },
    });
    expect([later.isOver(), later.carried().doubts]).toEqual([true, 0]);
    const settled = { uid, outcome: 'settled', failures: 0 };
    expect(scene.reports).toMatchObject([
      { ...settled, at: lookedUpAt },
      { ...settled, at: '2026-10-31T23:00:00.000Z' },
    ]);
  });

  test.each([
    ['refused', failure('rejected', ['ZPPAY01'], 'limit')],
    ['lapsed', failure('needs_reauthorisation')],
  ])('states `not_sent` if the payment is %s', async (_how, error) => {
    const scene = inVirtualTime({
      submitPayment: () => Promise.reject(error),
      findPayment: () => Promise.resolve(null),
    });
    await scene.payment();
    await scene.pass(DAY);
    expect(scene.reports).toMatchObject([reported('not_sent', 0)]);
  });

  test('contains the submission time if the payment was sent on a later day', async () => {
    const errors = [failure('forbidden')];
    const scene = inVirtualTime({
      submitPayment: ({ uid }) => {
        const error = errors.pop();
        return error === undefined ? Promise.resolve(fetchedPayment(uid, 'created')) : Promise.reject(error);
      },
    });
    const submitBefore = new Date(Date.parse(scene.now()) + 3 * DAY).toISOString();
    const payment = await scene.payment({ handling: { submitBefore } });
    await scene.pass(DAY);
    await payment.restored();
    expect(scene.reports).toMatchObject([{ ...reported('in_flight', 0), sentAt: scene.now() }]);
  });

  test('counts failures in the grace period of the agreement', async () => {
    const scene = inVirtualTime(taken);
    const payment = await scene.payment();
    await payment.receive(aFact('failed', { detail: { failure: { code: 'MCGP', retryable: false } } }));
    expect(scene.reports).toMatchObject([{ ...reported('failed', 1), graceFailures: 1 }]);
  });

  test('is sent for an adopted payment once its agreement is known', async () => {
    const createdAt = '2026-10-30T01:00:00.000Z';
    const shown = fetchedPayment('pay-9', 'created', { agreement_uid: 'agr-9', amount: 70 });
    shown.snapshot.createdAt = createdAt;
    const scene = inVirtualTime({ adoptPayment: () => Promise.resolve({ owner: 'acme', ...shown }) });
    const payment = await scene.payment({ uid: 'pay-9', order: undefined, connectionId: undefined });
    await payment.receive(aFact('failed'));
    const paid = { uid: 'pay-9', amount: 70, requestedAt: createdAt };
    expect(scene.reports).toMatchObject([
      { ...paid, ...reported('in_flight', 0) },
      { ...paid, ...reported('failed', 1) },
    ]);
  });
});
