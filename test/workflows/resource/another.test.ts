import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import {
  A_MANDATE,
  aRefundOrder,
  anOrder,
  failure,
  fetchedAgreement,
  fetchedPayment,
  fetchedRefund,
  refusalIn,
} from '../../support/workflows/provider.js';
import { DAY, HOUR, inVirtualTime, type Scene } from '../../support/workflows/virtual.js';
import { overJson } from '../../support/virtual-runs.js';
import type { Activities } from '../../../activities/index.js';
import type { Decision } from '../../../domain/attention/resolution.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { AgreementState } from '../../../workflows/agreement/state.js';
import type { PaymentState } from '../../../workflows/payment/state.js';
import type { RefundState } from '../../../workflows/refund/state.js';

const word = (decision: Decision) =>
  ({ key: `key-${decision}`, code: 'parked', reason: 'asked them', by: 'ops', decision }) as const;
const lost = () => Promise.reject(failure('unavailable'));
const LOOK_UPS = ['lookUpPayment', 'lookUpRefund', 'lookUpAgreement'];
const theirs = { agreement_uid: 'agr-t', amount: 77 };

async function parkedPayment(more: Partial<Activities> = {}) {
  const scene = inVirtualTime({
    submitPayment: lost,
    findPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'failed', theirs)),
    lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled', theirs)),
    ...more,
  });
  return { scene, it: await scene.payment() };
}

async function parkedRefund() {
  const other = (uid: string, state: string) => fetchedRefund(uid, state, aRefundOrder('pay-t', 77));
  const scene = inVirtualTime({
    submitRefund: lost,
    findRefund: ({ uid }) => Promise.resolve(other(uid, 'created')),
    lookUpRefund: ({ uid }) => Promise.resolve(other(uid, 'processed')),
    reportRefund: () => Promise.resolve(),
  });
  return { scene, it: await scene.refund() };
}

async function parkedAgreement() {
  const history: Fact[] = [];
  const initiator = { name: 'M', client_id: null };
  const other = (uid: string, state: string) => {
    const { snapshot, ...fetched } = fetchedAgreement(uid, state, [...history]);
    return { ...fetched, snapshot: { ...snapshot, mandate: { ...A_MANDATE, initiator } } };
  };
  const scene = inVirtualTime({
    createAgreement: lost,
    findAgreement: ({ uid }) => Promise.resolve(other(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(other(uid, 'active')),
  });
  const mandate = { ...A_MANDATE, initiator: { name: 'M', client_id: 'cl-1' } };
  const it = await scene.agreement({ mandate });
  const receive = async (...facts: Fact[]) => {
    history.push(...facts);
    await it.receive(...facts);
  };
  return { scene, it: { ...it, receive } };
}

const KINDS = {
  payment: { begin: parkedPayment, events: ['pending', 'settled'], own: 'requested', shown: 'settled' },
  refund: { begin: parkedRefund, events: ['processed'], own: 'requested', shown: 'processed' },
  agreement: { begin: parkedAgreement, events: ['activated'], own: 'pending', shown: 'active' },
} as const;
const NAMES = ['payment', 'refund', 'agreement'] as const;

async function reported(name: (typeof NAMES)[number], isEarly: boolean) {
  const { begin, events } = KINDS[name];
  const { scene, it } = await begin();
  const facts = events.map((type) => aFact(type));
  if (isEarly) await it.receive(...facts);
  await scene.pass(HOUR);
  if (!isEarly) await it.receive(...facts);
  await it.lookUpNow();
  await scene.pass(DAY);
  return { scene, it, facts };
}

async function runOf(
  name: (typeof NAMES)[number],
  scene: Scene,
  { uid, state }: { uid: string; state: () => unknown },
) {
  const carried = overJson(state());
  if (name === 'payment') return scene.payment({ uid, carried: carried as PaymentState });
  if (name === 'refund') return scene.refund({ uid, carried: carried as RefundState });
  return scene.agreement({ uid, carried: carried as AgreementState });
}

const lookUpsIn = ({ calls }: Scene): number => calls.filter((call) => LOOK_UPS.includes(call)).length;
const keptOf = ({ state }: { state: () => { facts: Fact[] } }): string[] => state().facts.map(({ id }) => id);

describe.each(NAMES)('%s whose uid belongs to a different resource', (name) => {
  const { own, shown } = KINDS[name];

  test.each([true, false])('stays parked after events of the other resource (early: %s)', async (isEarly) => {
    const { scene, it, facts } = await reported(name, isEarly);
    expect(it.view()).toMatchObject({
      state: own,
      attention: [{ code: 'parked' }],
      awaiting: { what: 'operator' },
    });
    expect(keptOf(it)).toEqual(facts.map(({ id }) => id));
    expect(lookUpsIn(scene)).toBe(isEarly ? 1 : 0);
  });

  test('ends permanently after `close`', async () => {
    const { scene, it } = await reported(name, true);
    await it.resolve(word('close'));
    expect(it.isOver()).toBe(true);
    const calls = [...scene.calls];
    const late = aFact(KINDS[name].events[0]);
    await it.receive(late);
    await it.lookUpNow();
    const later = await runOf(name, scene, it);
    await scene.pass(DAY);
    expect([later.isOver(), later.view().state, later.view().attention]).toEqual([true, 'failed', []]);
    expect(later.state()).toMatchObject({ isLookUpDue: false, doubts: 0 });
    expect(keptOf(later)).toContain(late.id);
    expect(scene.calls).toEqual(calls);
  });

  test.each([true, false])('becomes the other resource after `adopt` (early: %s)', async (isEarly) => {
    const { scene, it } = await reported(name, isEarly);
    const before = lookUpsIn(scene);
    await it.resolve(word('adopt'));
    await scene.pass(DAY);
    expect(it.view()).toMatchObject({ state: shown, attention: [] });
    expect(lookUpsIn(scene)).toBe(before + 1);
  });
});

test('a payment whose uid belongs to a different payment never reports a settlement', async () => {
  const { scene, it } = await parkedPayment();
  await it.receive(aFact('settled'));
  await it.resolve(word('close'));
  expect(scene.reports.map(({ outcome }) => outcome)).toEqual(['not_sent']);
});

test.each<[string, Activities['submitPayment']]>([
  ['lost', lost],
  ['refused', () => Promise.reject(failure('rejected'))],
])(
  'a %s payment known only from events is not reported, refunded or retried',
  async (_what, submitPayment) => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => void (answer = resolve));
    const { scene, it } = await parkedPayment({
      submitPayment,
      findPayment: () => Promise.resolve(null),
      lookUpPayment: async ({ uid }) => {
        await answered;
        return fetchedPayment(uid, 'settled', theirs);
      },
    });
    const before = scene.reports.length;
    const detail = { failure: { code: 'AM04', retryable: true } };
    await it.receive(aFact('failed', { publishedAt: scene.now(), detail }));
    await expect(it.retry('r-1')).rejects.toMatchObject({ type: 'payment_not_failed' });
    await it.receive(aFact('settled', { publishedAt: scene.now() }));
    await expect(it.refund({ uid: 'ref-1', order: aRefundOrder(it.uid, 1) })).rejects.toMatchObject({
      type: 'payment_not_settled',
    });
    answer();
    const later = it.isOver() ? await scene.payment({ uid: it.uid, carried: it.carried() }) : it;
    await scene.pass(HOUR);
    expect(later.view()).toMatchObject({ attention: [{ code: 'parked' }] });
    expect(scene.reports.slice(before)).toEqual([]);
  },
);

test('a refund known only from events is not reported to its payment', async () => {
  const { scene, it } = await parkedRefund();
  await it.receive(aFact('processed'));
  await scene.pass(HOUR);
  expect(it.view()).toMatchObject({ state: 'requested', attention: [{ code: 'parked' }] });
  expect(scene.calls).not.toContain('reportRefund');
});

test('an agreement known only from events refuses payments', async () => {
  const never = () => new Promise<never>(() => undefined);
  const scene = inVirtualTime({ createAgreement: lost, findAgreement: never, lookUpAgreement: never });
  const agr = await scene.agreement();
  await agr.receive(aFact('activated'));
  expect(agr.view().state).toBe('active');
  const pay = agr.pay({ uid: 'p', order: anOrder(agr.uid) });
  expect(await pay.catch(refusalIn)).toBe('agreement_held');
});

test('an agreement whose uid belongs to a different agreement fails and ignores its events', async () => {
  const other = (uid: string) => {
    const { snapshot, ...fetched } = fetchedAgreement(uid, 'active');
    return Promise.resolve({
      ...fetched,
      snapshot: { ...snapshot, mandate: { ...A_MANDATE, purpose: 'x' } },
    });
  };
  const scene = inVirtualTime({
    createAgreement: lost,
    findAgreement: ({ uid }) => other(uid),
    lookUpAgreement: ({ uid }) => other(uid),
  });
  const agr = await scene.agreement();
  await agr.receive(aFact('activated'));
  const taken = { state: 'failed', stateReason: { code: 'uid_taken' }, attention: [] };
  expect(agr.view()).toMatchObject(taken);
  await agr.receive(aFact('suspended'));
  await agr.differs();
  const later = await runOf('agreement', scene, agr);
  expect(later.view()).toMatchObject(taken);
  expect(later.isOver()).toBe(true);
});

test('an accepted payment that later differs keeps its state until an operator closes it', async () => {
  const { scene, it } = await parkedPayment({
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'pending')),
  });
  await it.lookUpNow();
  expect(it.view()).toMatchObject({ state: 'pending', attention: [{ code: 'parked' }] });
  await it.resolve(word('close'));
  expect(it.view()).toMatchObject({ state: 'failed', failure: { code: 'closed' } });
  expect(it.isOver()).toBe(true);
  expect(scene.reports.map(({ outcome }) => outcome)).toEqual(['not_sent']);
});
