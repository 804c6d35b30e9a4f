import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { fetchedPayment, fetchedRefund } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { PaymentState } from '../../../workflows/payment/state.js';
import type { RefundState } from '../../../workflows/refund/state.js';

describe('conflict between our final state and the provider’s', () => {
  const later = async <Kind extends 'payment' | 'refund'>(kind: Kind, end: string) => {
    const provider = { end: 'failed', seconds: [] as number[] };
    const asked = <Fetched>(fetched: Fetched): Promise<Fetched> => {
      provider.seconds.push((Date.parse(scene.now()) - beganMs) / SECOND);
      return Promise.resolve(fetched);
    };
    const scene = inVirtualTime({
      submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
      submitRefund: ({ uid }) => Promise.resolve(fetchedRefund(uid, 'created')),
      reportRefund: () => Promise.resolve(),
      lookUpPayment: ({ uid }) => asked(fetchedPayment(uid, provider.end)),
      lookUpRefund: ({ uid }) => asked(fetchedRefund(uid, provider.end)),
    });
    const first = kind === 'payment' ? await scene.payment() : await scene.refund();
    await first.receive(aFact(end));
    expect(first.isOver()).toBe(true);
    await scene.pass(HOUR);
    const beganMs = Date.parse(scene.now());
    const lookedUp = async ({ uid, state }: Pick<typeof first, 'uid' | 'state'>) => {
      const carried = { ...state(), isLookUpDue: true };
      return kind === 'payment'
        ? scene.payment({ uid, carried: carried as PaymentState })
        : scene.refund({ uid, carried: carried as RefundState });
    };
    return { scene, lookedUp, provider, run: await lookedUp(first) };
  };

  test.each([
    ['payment', 'settled'],
    ['refund', 'processed'],
  ] as const)('is flagged for a %s after repeated answers until the provider agrees', async (kind, end) => {
    const { scene, run, provider, lookedUp } = await later(kind, end);
    await scene.pass(100 * SECOND);
    expect(run.view()).toMatchObject({ state: end, attention: [] });
    await scene.pass(DAY);
    expect(provider.seconds).toEqual([0, 5, 65, 125]);
    expect(run.isOver()).toBe(true);
    const detail = `We recorded the end state ${end}, but the provider shows failed. One of them is wrong. Nothing was changed.`;
    expect(run.view()).toMatchObject({ state: end, attention: [{ code: 'conflict', detail }] });
    provider.end = end;
    expect((await lookedUp(run)).view()).toMatchObject({ state: end, attention: [] });
  });

  test('is not flagged for a payment if only one answer lagged', async () => {
    const { scene, run, provider } = await later('payment', 'settled');
    provider.end = 'settled';
    await scene.pass(DAY);
    expect(provider.seconds).toEqual([0, 5]);
    expect(run.view()).toMatchObject({ state: 'settled', attention: [] });
  });
});
