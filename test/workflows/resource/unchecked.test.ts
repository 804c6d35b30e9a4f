import { describe, expect, test } from 'vitest';
import { createStateStore } from '../../../workflows/engine/reconcile.js';
import { AGREEMENT } from '../../../workflows/agreement/definition.js';
import { checkSteps, applyCheck } from '../../../workflows/resource/unchecked.js';
import {
  A_MANDATE,
  aRefundOrder,
  anOrder,
  fetchedAgreement,
  fetchedPayment,
} from '../../support/workflows/provider.js';
import { aFact } from '../../support/facts.js';
import { DAY, HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { Remembered } from '../../../domain/records/remembered.js';
import type { PlanRequest } from '../../../domain/agreement/plan.js';
import type { AgreementState } from '../../../workflows/agreement/state.js';

const row = (over: Partial<Extract<Remembered, { is: 'row' }>> = {}): Remembered => ({
  ...{ is: 'row', version: 1, identity: 'first', state: 'cancelled', view: {} },
  ...over,
});
const GONE: Remembered = { is: 'gone', why: 'expired', since: '2026-10-01T00:00:00.000Z' };

async function unsent() {
  const sent: string[] = [];
  const scene = inVirtualTime({
    submitPayment: ({ uid }) => {
      sent.push(uid);
      return Promise.resolve(fetchedPayment(uid, 'created'));
    },
    awaitResumption: () => Promise.resolve(),
  });
  const payment = await scene.payment();
  const { submission, facts } = payment.state();
  const ready = { ...submission, stage: 'ready' as const, count: 0 };
  const state = { ...payment.state(), submission: ready, facts, isUnchecked: true as const };
  const check = (found: Remembered | undefined) =>
    applyCheck(state, found, { resource: 'payment', identity: 'mine', now: scene.now() });
  return { scene, uid: payment.uid, sent, state, check };
}

describe('the check of an unchecked start', () => {
  test.each([
    ['nothing', undefined],
    ['its own row', row({ identity: 'mine' })],
    ['a row that only events have named', row({ state: 'unknown' })],
  ])('finds %s: it goes on', async (_what, found) => {
    const { state, check } = await unsent();
    expect(checkSteps(state)).toHaveLength(1);
    const after = check(found);
    expect([checkSteps(after), after.isTaken, after.attention]).toEqual([[], undefined, []]);
  });

  test.each([
    ['another row', row()],
    ['a row without an identity', row({ identity: undefined })],
    ['a tombstone', GONE],
  ])('finds %s: it is flagged, and nothing is sent until that is resolved', async (_what, found) => {
    const { scene, uid, sent, check } = await unsent();
    const taken = check(found);
    expect(checkSteps(taken)).toEqual([]);
    sent.length = 0;
    const payment = await scene.payment({ uid, carried: taken });
    await scene.pass(HOUR);
    expect(payment.view().attention).toMatchObject([{ code: 'conflict' }]);
    expect([sent, payment.view().awaiting.what]).toEqual([[], 'operator']);
    await payment.resolve({ key: 'k', code: 'conflict', reason: 'It is another one.', by: 'op' });
    await scene.pass(HOUR);
    expect([sent, payment.view().attention]).toEqual([[uid], []]);
  });
});

/** An active agreement in a given state. */
async function anActive(over: Partial<AgreementState>, given: Partial<Activities> = {}) {
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    ...given,
  });
  const first = await scene.agreement({ uid: 'agr-1', mandate: A_MANDATE });
  await first.receive(aFact('activated', { publishedAt: scene.now() }));
  await scene.pass(SECOND);
  const agreement = await scene.agreement({ uid: 'agr-1', carried: { ...first.state(), ...over } });
  return { scene, agreement };
}

const DROPPED: [string, Partial<AgreementState>][] = [
  ['has dropped a payment', { paymentsOlder: 1 }],
  ['has dropped a key', { usesOlder: 1 }],
  ['has lost its state', { isLost: true }],
];

describe('a payment', () => {
  const request = { uid: 'pay-1', order: anOrder('agr-1') };

  test('is admitted by an agreement that has everything, without the records', async () => {
    const { scene, agreement } = await anActive({});
    expect(await agreement.pay(request)).not.toHaveProperty('repeatOf');
    expect([...scene.begun.values()]).toMatchObject([{ uid: 'pay-1', isUnchecked: true }]);
  });

  test.each(DROPPED)('needs the records if its agreement %s', async (_what, over) => {
    const { scene, agreement } = await anActive(over);
    await expect(agreement.pay(request)).rejects.toMatchObject({ type: 'records_unavailable' });
    expect(await agreement.pay({ ...request, recorded: 'uid' })).toMatchObject({ repeatOf: 'uid' });
    expect(scene.begun.size).toBe(0);
    await agreement.pay({ ...request, recorded: 'nothing' });
    const [begun] = scene.begun.values();
    expect(begun).toMatchObject({ uid: 'pay-1', isUnchecked: undefined });
  });

  test('is refused until its agreement was checked, whatever the records have', async () => {
    const { agreement } = await anActive({ isUnchecked: true });
    const asked = agreement.pay({ ...request, recorded: 'nothing' });
    await expect(asked).rejects.toMatchObject({ type: 'records_unavailable' });
  });

  test('is refused while another agreement may have its uid', async () => {
    const { agreement } = await anActive({ isTaken: true });
    const asked = agreement.pay({ ...request, recorded: 'nothing' });
    await expect(asked).rejects.toMatchObject({ type: 'agreement_held' });
  });
});

test.each(DROPPED.slice(1))('a refund needs the records if its payment %s', async (_what, over) => {
  const scene = inVirtualTime({
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')),
  });
  const first = await scene.payment();
  const carried = { ...first.state(), ...(over as Partial<ReturnType<typeof first.state>>) };
  const payment = await scene.payment({ uid: first.uid, carried });
  const request = { uid: 'ref-1', order: aRefundOrder(first.uid, 100) };
  await expect(payment.refund(request)).rejects.toMatchObject({ type: 'records_unavailable' });
  expect(await payment.refund({ ...request, recorded: 'key' })).toMatchObject({ isRepeat: true });
  expect(await payment.refund({ ...request, recorded: 'nothing' })).not.toHaveProperty('isRepeat');
});

test('a refund is refused until its payment was checked, whatever the records have', async () => {
  const scene = inVirtualTime({
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')),
  });
  const first = await scene.payment();
  const carried = { ...first.state(), isUnchecked: true as const };
  const payment = await scene.payment({ uid: first.uid, carried });
  const asked = payment.refund({ uid: 'ref-1', order: aRefundOrder(first.uid, 1), recorded: 'nothing' });
  await expect(asked).rejects.toMatchObject({ type: 'records_unavailable' });
});

test('a dropped key that waits for the records still belongs to its first request', async () => {
  const keys = [{ key: 'k-0', uid: 'p-0', body: 'b' }];
  const { agreement } = await anActive({});
  const records = { identity: 'mine', follows: 1, isAway: true as const, keys };
  const store = createStateStore({ ...agreement.state(), records }, AGREEMENT.record, agreement.runtime());
  const pay = (uid: string) =>
    AGREEMENT.handlers.requestPayment.handle(store, agreement.runtime(), {
      ...{ uid, order: anOrder('agr-1'), recorded: 'nothing' },
      use: { key: 'k-0', uid, body: 'b' },
    });
  expect(await pay('p-0')).toMatchObject({ repeatOf: 'key' });
  await expect(pay('p-other')).rejects.toMatchObject({ type: 'payment_key_conflict' });
});

describe('a planned payment of an agreement that has dropped payments', () => {
  const PLAN: PlanRequest = {
    schedule: { every: 'monthly', from: '2026-11-03', amount: 4200 },
    onMissed: 'catch_up_one',
    onHoliday: 'same',
    order: { agreement_uid: 'agr-1', priority: 'unattended' },
    uidBase: 'base',
    by: 'key-1',
  };
  const [FIRST, SECOND_UID] = ['base.20261103', 'base.20261103.2'];

  async function waiting(
    answer: (uid: string) => Promise<Remembered | undefined>,
    plan: Partial<PlanRequest> = {},
  ) {
    const { scene, agreement } = await anActive(
      { paymentsOlder: 1 },
      { readRecord: ({ uid }) => answer(uid) },
    );
    await agreement.putPlan({ ...PLAN, ...plan });
    await scene.pass(3 * DAY);
    const seen = () => ({
      begun: [...scene.begun.keys()].map((id) => id.slice('payment/'.length)),
      log: agreement.view().plan?.log.map(({ date, uid, reason }) => [date, uid ?? reason?.code]),
    });
    return { scene, agreement, seen };
  }
  const planned = async (answer: (uid: string) => Promise<Remembered | undefined>) =>
    (await waiting(answer)).seen();
  const away = () => {
    const gate = { open: (): void => undefined };
    const opened = new Promise<undefined>((resolve) => {
      gate.open = () => {
        resolve(undefined);
      };
    });
    return { gate, answer: () => opened };
  };

  test('is dropped if its plan ends while it waits', async () => {
    const { gate, answer } = away();
    const { scene, agreement, seen } = await waiting(answer);
    await agreement.endPlan();
    gate.open();
    await scene.pass(DAY);
    expect(seen()).toEqual({ begun: [], log: [['2026-11-03', 'plan_ended']] });
  });

  test('gives way to a later date that is due when the records return', async () => {
    const { gate, answer } = away();
    const schedule = { every: 'daily', from: '2026-11-03', until: '2026-11-04', amount: 4200 } as const;
    const { scene, seen } = await waiting(answer, { schedule });
    await scene.pass(2 * DAY);
    gate.open();
    await scene.pass(HOUR);
    const [, last] = ['2026-11-03', '2026-11-04'].map((date) => `base.${date.replaceAll('-', '')}`);
    expect(seen()).toEqual({
      begun: [last],
      log: [
        ['2026-11-03', 'missed'],
        ['2026-11-04', last],
      ],
    });
  });
  const of = (agreement: string) => row({ view: { order: { ...anOrder(agreement) } } });

  test('waits while the records are away', async () => {
    expect(await planned(() => new Promise(() => undefined))).toEqual({ begun: [], log: [] });
  });

  test.each([
    ['nothing has its uid', undefined, [FIRST], FIRST],
    ['only events have named it', row({ state: 'unknown' }), [FIRST], FIRST],
    ['it was taken before', of('agr-1'), [], 'payment_exists'],
    ['it has expired', GONE, [], 'payment_exists'],
    ['another agreement has its uid', of('agr-2'), [SECOND_UID], SECOND_UID],
  ])('is taken only if the records have none: %s', async (_what, found, begun, logged) => {
    const answer = (uid: string) => Promise.resolve(uid === FIRST ? found : undefined);
    expect(await planned(answer)).toEqual({ begun, log: [['2026-11-03', logged]] });
  });
});
