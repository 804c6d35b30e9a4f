import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { fetchedPayment, fetchedRefund, failure, A_MANDATE } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import { type PaymentState, applyFact } from '../../../workflows/payment/state.js';
import type { RefundState } from '../../../workflows/refund/state.js';
import type { Activities } from '../../../activities/index.js';
import type { Fact } from '../../../domain/facts/fact.js';
import { AGREEMENT } from '../../../workflows/agreement/definition.js';
import { PAYMENT } from '../../../workflows/payment/definition.js';

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

/** Claims that anyone can make: one without a proof, and one that a secret of another connection proves. */
const CLAIMS: [string, Partial<Fact>][] = [
  ['an unauthenticated event', { authenticated: false }],
  ['an event of another connection', { provenConnectionId: 'other' }],
];

async function refused(over: Partial<Activities>) {
  const scene = inVirtualTime({
    submitPayment: () => Promise.reject(failure('rejected')),
    findPayment: () => Promise.resolve(null),
    lookUpPayment: () => unanswered<never>().answer,
    listRefunds: () => Promise.resolve([]),
    ...over,
  });
  const { uid, view, carried } = await scene.payment();
  expect(view()).toMatchObject({ state: 'failed', submissions: 1 });
  const receive = async (claim: Fact) => {
    const run = await scene.payment({ uid, carried: applyFact(carried(), claim) });
    await scene.pass(HOUR);
    return run;
  };
  return { scene, receive };
}

test.each(CLAIMS)('%s about a refused payment causes one look-up, and its run ends', async (_what, claim) => {
  const { scene, receive } = await refused({});
  const searches = () => scene.calls.filter((name) => name === 'findPayment').length;
  const before = searches();
  const run = await receive(aFact('settled', claim));
  expect(run.view()).toMatchObject({ state: 'failed', submissions: 1 });
  expect([searches() - before, run.isOver()]).toEqual([1, true]);
});

test('a payment that was refused is followed if the provider has it after all', async () => {
  let answers = 0;
  const { receive } = await refused({
    findPayment: ({ uid }) => Promise.resolve(answers++ === 0 ? null : fetchedPayment(uid, 'settled')),
  });
  const run = await receive(aFact('settled', { authenticated: false }));
  expect(run.view().state).toBe('settled');
});

test('a lost agreement keeps its flags, except those of what blocked its run', async () => {
  const scene = inVirtualTime({ createAgreement: () => unanswered<never>().answer });
  const agreement = await scene.agreement({ mandate: A_MANDATE });
  const flag = (code: 'forbidden' | 'needs_reauthorisation' | 'consecutive_failures') =>
    ({ code, since: scene.now(), detail: 'Why.', next: 'What to do.' }) as const;
  const attention = [flag('forbidden'), flag('consecutive_failures'), flag('needs_reauthorisation')];
  const ids = { uid: agreement.uid, connectionId: 'acme' };
  const lost = AGREEMENT.lost({ ...agreement.view(), attention }, ids, scene.now());
  expect(lost.attention).toEqual([flag('consecutive_failures')]);
});

test('a lost payment is looked up on request until the search has shown that the provider does not have it', async () => {
  const scene = inVirtualTime({
    submitPayment: () => Promise.reject(failure('rejected')),
    findPayment: () => Promise.resolve(null),
    listRefunds: () => Promise.resolve([]),
  });
  const refused = await scene.payment();
  expect(refused.view().state).toBe('failed');
  const ids = { uid: refused.uid, connectionId: 'acme' };
  const carried = PAYMENT.lost(refused.view(), ids, scene.now());
  const lost = await scene.payment({ uid: refused.uid, carried });
  await lost.lookUpNow();
  await scene.pass(HOUR);
  expect(lost.isOver()).toBe(true);
  await expect(lost.lookUpNow()).rejects.toMatchObject({ type: 'payment_final' });
});
