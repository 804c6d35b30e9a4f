import { describe, expect, test } from 'vitest';
import { applyFact } from '../../../workflows/payment/state.js';
import { aFact } from '../../support/facts.js';
import { failure, fetchedPayment } from '../../support/workflows/provider.js';
import { HOUR, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { Decision } from '../../../domain/attention/resolution.js';

const word = (decision?: Decision) =>
  ({ key: `key-${decision ?? 'none'}`, code: 'parked', reason: 'asked them', by: 'ops', decision }) as const;

async function parked(found: Activities['findPayment'], more: Partial<Activities> = {}) {
  const scene = inVirtualTime({
    submitPayment: () => Promise.reject(failure('unavailable')),
    findPayment: (of) => found(of),
    ...more,
  });
  const payment = await scene.payment();
  await scene.pass(HOUR);
  expect(payment.view()).toMatchObject({ awaiting: { what: 'operator' }, attention: [{ code: 'parked' }] });
  return { scene, payment };
}

describe('parked payment that the provider does not have', () => {
  const absent = () => Promise.resolve(null);

  test('is looked up again after `adopt` and never sent again', async () => {
    const { scene, payment } = await parked(absent);
    const count = (name: string) => scene.calls.filter((call) => call === name).length;
    const [sent, asked] = [count('submitPayment'), count('findPayment')];
    await payment.lookUpNow();
    expect(count('findPayment')).toBe(asked + 1);
    await payment.resolve(word('adopt'));
    expect(payment.view().awaiting.what).toBe('submission-outcome');
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ attention: [{ code: 'parked' }], submissions: sent });
    expect([count('submitPayment'), count('findPayment')]).toEqual([sent, asked + 5]);
  });

  test('reports `unresolved` after `close` until an event shows its outcome', async () => {
    const { scene, payment } = await parked(absent, {
      lookUpPayment: (of) => Promise.resolve(fetchedPayment(of.uid, 'settled')),
    });
    await payment.resolve(word('close'));
    expect(payment.isOver()).toBe(true);
    expect(payment.view()).toMatchObject({
      state: 'unresolved',
      attention: [],
      failure: { code: 'unresolved' },
    });
    const { uid, carried } = payment;
    const later = await scene.payment({ uid, carried: applyFact(carried(), aFact('settled')) });
    expect(later.view()).toMatchObject({ state: 'settled', failure: undefined });
    expect(scene.reports.map(({ outcome }) => outcome)).toEqual(['unresolved', 'settled']);
  });

  test('requires a decision and applies it once', async () => {
    const { payment } = await parked(absent);
    await expect(payment.resolve(word())).rejects.toMatchObject({ type: 'decision_needed' });
    await payment.resolve(word('close'));
    const closed = payment.state();
    await payment.resolve(word('close'));
    expect(payment.state()).toEqual(closed);
  });
});

describe('parked payment whose uid belongs to a different payment', () => {
  const other = { agreement_uid: 'agr-other', amount: 1 };
  const found: Activities['findPayment'] = ({ uid }) =>
    Promise.resolve(fetchedPayment(uid, 'created', other));

  test('becomes the other payment after `adopt` and reports its own as not sent', async () => {
    const { scene, payment } = await parked(found, {
      lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created', other)),
    });
    await payment.resolve(word('adopt'));
    expect(payment.view()).toMatchObject({ state: 'created', order: other, attention: [] });
    await payment.receive(aFact('settled'));
    expect(payment.view()).toMatchObject({ state: 'settled' });
    expect(scene.reports).toMatchObject([
      { outcome: 'not_sent' },
      { outcome: 'in_flight', amount: 1 },
      { outcome: 'settled', amount: 1 },
    ]);
  });
});
