import { describe, expect, test } from 'vitest';
import { applyFact, applyRefusal, type AgreementState } from '../../../../workflows/agreement/state.js';
import { termsStatusOf } from '../../../../workflows/agreement/terms.js';
import { updateState } from '../../../../workflows/engine/handlers.js';
import { aFact } from '../../../support/facts.js';
import { active } from '../../../support/workflows/agreement-states.js';
import { anOrder, fetchedAgreement, fetchedPayment, refusalIn } from '../../../support/workflows/provider.js';
import { DAY, SECOND, inVirtualTime } from '../../../support/workflows/virtual.js';
import { ask, pending } from '../../../support/workflows/virtual-agreement.js';
import { UNRECOGNISED } from './look-up.test.js';
import type { PaymentRequest } from '../../../../workflows/agreement/contract.js';

describe('agreement ended here but not at the provider', () => {
  const SHOWN_FOR_LONG = [0, 5, 65, 125];
  const JUST_BEFORE = '2026-10-31T23:59:59.000Z';
  const RECEIVED = { receivedAt: '2026-11-01T00:00:00.000Z' };

  test('reopens but blocks payments until an operator resolves the flag if the provider reported the end', async () => {
    const facts = [aFact('expired', RECEIVED), aFact('activated', RECEIVED)];
    const { agr, scene, lookUps } = await pending((uid) => fetchedAgreement(uid, 'active', facts));
    await agr.receive(...facts);
    expect(agr.view()).toMatchObject({ state: 'expired', attention: [] });
    await scene.pass(60 * SECOND);
    expect(agr.view()).toMatchObject({ state: 'expired', attention: [{ code: 'conflict' }] });
    await scene.pass(DAY);
    expect(lookUps).toEqual(SHOWN_FOR_LONG);
    expect(agr.isOver()).toBe(false);
    expect(agr.view()).toMatchObject({ state: 'active', attention: [{ code: 'conflict' }] });
    const pay = () => agr.pay({ uid: 'pay-1', order: anOrder(agr.uid) }).catch(refusalIn);
    expect(await pay()).toBe('agreement_held');
    await agr.ask(ask('cancellation'));
    expect(agr.view().actions).toMatchObject([{ kind: 'cancellation' }]);
    await agr.lookUpNow();
    expect(agr.view().attention).toMatchObject([{ code: 'conflict' }]);
    await agr.resolve({ key: 'word-1', code: 'conflict', reason: 'they say it stands', by: 'ops' });
    expect(agr.view().attention).toEqual([]);
    expect(await pay()).not.toHaveProperty('repeatOf');
  });

  test('reopens without a flag if the end was our own conclusion', async () => {
    const activated = aFact('activated', { ...RECEIVED, publishedAt: RECEIVED.receivedAt });
    const { agr, scene } = await pending((uid) => fetchedAgreement(uid, 'active', [activated]));
    const wrongly = updateState((state: AgreementState) =>
      applyFact(applyRefusal(state, JUST_BEFORE, { code: 'ZPAGR15' }), activated),
    );
    await agr.send(wrongly, undefined);
    expect(agr.view().state).toBe('failed');
    await scene.pass(DAY);
    expect(agr.view()).toMatchObject({ state: 'active', attention: [] });
  });

  test('stays ended if only one answer lagged', async () => {
    const facts = [aFact('activated'), aFact('cancelled'), aFact('unheard of')];
    let isBehind = true;
    const { agr, scene } = await pending((uid) =>
      fetchedAgreement(uid, isBehind ? 'active' : 'cancelled', facts),
    );
    await agr.receive(...facts);
    isBehind = false;
    await scene.pass(DAY);
    expect(agr.isOver()).toBe(true);
    expect(agr.view()).toMatchObject({ state: 'cancelled', attention: [{ code: 'unrecognised' }] });
  });
});

describe('types unknown to this release', () => {
  const flags = ({ view }: { view: () => { attention: { code: string }[] } }) =>
    view().attention.map(({ code }) => code);

  test('are flagged until an operator resolves the flag, even if the provider agrees', async () => {
    const { agr, scene } = await pending((uid) => fetchedAgreement(uid, 'active', facts));
    const facts = [aFact('activated'), aFact('levitated')];
    await agr.receive(...facts);
    await scene.pass(DAY);
    expect(agr.view()).toMatchObject({ state: 'active', attention: [UNRECOGNISED] });
    await agr.resolve({ key: 'k', code: 'unrecognised', reason: 'Reported', by: 'ops' });
    await agr.receive(...facts);
    await agr.lookUpNow();
    expect(flags(agr)).toEqual([]);
  });

  test('are flagged in the history of an agreement and in events of a payment', async () => {
    const { agr } = await pending((uid) => fetchedAgreement(uid, 'active', [aFact('levitated')]));
    await agr.receive(aFact('amended'));
    expect(flags(agr)).toContain('unrecognised');
    const scene = inVirtualTime({
      submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
      lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')),
    });
    const payment = await scene.payment();
    await payment.receive(aFact('levitated'));
    expect(payment.view()).toMatchObject({ state: 'settled', attention: [UNRECOGNISED] });
  });
});

describe('unauthenticated event', () => {
  test('blocks payments and changes the agreement only once the provider confirms it', async () => {
    const [activated, cancelled] = [aFact('activated'), aFact('cancelled', { authenticated: false })];
    const confirmed = { ...cancelled, source: 'history' as const, authenticated: true };
    let isBehind = true;
    const { agr, scene } = await pending((uid) =>
      isBehind ? fetchedAgreement(uid, 'active') : fetchedAgreement(uid, 'cancelled', [activated, confirmed]),
    );
    await agr.receive(activated, cancelled);
    expect(agr.view()).toMatchObject({ state: 'active', awaiting: { what: 'look-up' } });
    expect(await agr.pay({ uid: 'pay-1', order: anOrder(agr.uid) }).catch(refusalIn)).toBe('agreement_held');
    isBehind = false;
    await scene.pass(DAY);
    expect(agr.isOver()).toBe(true);
    expect(agr.view().state).toBe('cancelled');
  });
});

describe("event that ends authority at another connection's address", () => {
  const forged = (type: string) => aFact(type, { namedConnectionId: 'other' });
  const paidOn = (agr: { uid: string; pay: (request: PaymentRequest) => Promise<unknown> }, uid: string) =>
    agr.pay({ uid, order: anOrder(agr.uid) }).catch(refusalIn);

  test('blocks no payment after a look-up shows the agreement active', async () => {
    const activated = aFact('activated');
    const { agr, scene, lookUps } = await pending((uid) => fetchedAgreement(uid, 'active', [activated]));
    await agr.receive(activated, forged('suspended'), forged('cancelled'));
    expect(await paidOn(agr, 'pay-1')).not.toHaveProperty('repeatOf');
    await scene.pass(70 * SECOND);
    await agr.receive(forged('cancelled'));
    expect(await paidOn(agr, 'pay-2')).not.toHaveProperty('repeatOf');
    await scene.pass(DAY);
    expect(lookUps).toEqual([0, 5, 65, 70, 75, 135, 435, 2235]);
  });

  test('blocks payments before the look-up and takes effect within seconds if an answer lagged', async () => {
    const cancelled = forged('cancelled');
    expect(termsStatusOf(applyFact(active, cancelled)).isInDoubt).toBe(true);
    const facts = [aFact('activated')];
    const { agr, scene } = await pending((uid) =>
      fetchedAgreement(uid, facts.length > 1 ? 'cancelled' : 'active', facts),
    );
    await agr.receive(...facts, cancelled);
    facts.push({ ...cancelled, namedConnectionId: undefined, source: 'history' });
    await scene.pass(6 * SECOND);
    expect(agr.view().state).toBe('cancelled');
  });
});
