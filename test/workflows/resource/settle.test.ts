import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import { recordFact, recordRefusal } from '../../../workflows/agreement/state.js';
import { termsStatusOf } from '../../../workflows/agreement/terms.js';
import { updateState } from '../../../workflows/engine/handlers.js';
import { openQuestions } from '../../../workflows/resource/state.js';
import { aFact } from '../../support/facts.js';
import { active, next, shown } from '../../support/workflows/agreement-states.js';
import {
  A_MANDATE,
  anOrder,
  fetchedAgreement,
  fetchedPayment,
  nothingNew,
  refusalIn,
} from '../../support/workflows/provider.js';
import { DAY, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import { ask } from '../../support/workflows/virtual-agreement.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../../domain/agreement/lifecycle.js';
import type { PaymentRequest } from '../../../workflows/agreement/contract.js';
import type { AgreementState } from '../../../workflows/agreement/state.js';

const UNRECOGNISED = {
  code: 'unrecognised',
  detail: expect.stringContaining('which this release does not know') as string,
};
const questions = (state: typeof active): string[] => openQuestions(AGREEMENT_LIFECYCLE, state);

function overtaken(state: typeof active, late: Fact, word = 'active') {
  return shown(recordFact(state, late), fetchedAgreement('agr', word, state.facts), questions(state));
}

describe('snapshot overtaken by an unexplained event', () => {
  const strange = aFact('levitated');
  const asked = recordFact(active, strange);

  test('resolves earlier questions and leaves the new event to an immediate look-up', () => {
    const late = aFact('levitated');
    const seen = overtaken(asked, late);
    expect(questions(seen)).toEqual([late.id]);
    expect(next(seen)).toEqual({ do: 'look_up', doubts: 0 });
  });

  test('counts as a doubt if it does not explain an earlier event', () => {
    const seen = shown(asked, fetchedAgreement('agr', 'active'), questions(asked));
    expect(next(seen)).toEqual({ do: 'look_up', doubts: 1 });
  });

  test('resolves a conflict of states but not an event received since', () => {
    const late = aFact('levitated');
    const seen = overtaken(asked, late, 'cancelled');
    expect(seen.facts.at(-1)).toMatchObject({ type: 'observed', state: 'cancelled' });
    expect(questions(seen)).toEqual([late.id]);
    expect(next(seen)?.do).toBe('look_up');
  });
});

async function pending(show: (uid: string) => Fetched<AgreementSnapshot>) {
  const lookUps: number[] = [];
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => {
      lookUps.push((Date.parse(scene.now()) - begunMs) / SECOND);
      return Promise.resolve(show(uid));
    },
    watchAgreement: () => Promise.reject(nothingNew('500h')),
  });
  const begunMs = Date.parse(scene.now());
  return { scene, lookUps, agr: await scene.agreement() };
}

describe('look-up', () => {
  test('adds missed events from history after a conflicting fact', async () => {
    const activated = aFact('activated', { source: 'history' });
    const { agr, lookUps } = await pending((uid) => fetchedAgreement(uid, 'suspended', [activated]));
    await agr.receive(aFact('suspended'));
    expect(agr.view()).toMatchObject({ state: 'suspended', awaiting: { what: 'nothing' } });
    expect(agr.timeline().conflicts).toEqual([]);
    expect(lookUps).toEqual([0]);
  });

  test('is repeated once before a complete answer of the provider overrides the facts', async () => {
    const facts = [aFact('activated'), aFact('an event that we do not know')];
    const { agr, scene, lookUps } = await pending((uid) => fetchedAgreement(uid, 'suspended', facts));
    await agr.receive(...facts);
    await scene.pass(DAY);
    expect(agr.view().state).toBe('suspended');
    expect(lookUps).toEqual([0, 5]);
  });

  test('is repeated for half an hour before an incomplete answer overrides the facts', async () => {
    const [activated, suspended, strange] = [aFact('activated'), aFact('suspended'), aFact('unheard of')];
    const { agr, scene, lookUps } = await pending((uid) => fetchedAgreement(uid, 'active', [activated]));
    await agr.receive(activated, suspended, strange);
    expect(agr.view().state).toBe('suspended');
    await scene.pass(DAY);
    expect(agr.view().state).toBe('active');
    expect(lookUps).toEqual([0, 5, 65, 365, 2165]);
  });

  test('flags an unknown state and stops after a repeat', async () => {
    const facts = [aFact('activated'), aFact('thawed')];
    const { agr, scene, lookUps } = await pending((uid) => fetchedAgreement(uid, 'frozen', facts));
    await agr.receive(...facts);
    await scene.pass(DAY);
    expect(agr.view()).toMatchObject({ state: 'active', attention: [UNRECOGNISED, { code: 'conflict' }] });
    expect(lookUps).toEqual([0, 5]);
  });

  test('stores the new terms after an amendment', async () => {
    const facts = [aFact('activated'), aFact('amended')];
    const payment_terms = { type: 'variable', frequency: 'monthly', max_amount: 40_000 };
    const { agr } = await pending((uid) => {
      const { snapshot, ...fetched } = fetchedAgreement(uid, 'active', facts);
      return { ...fetched, snapshot: { ...snapshot, mandate: { ...A_MANDATE, payment_terms } } };
    });
    await agr.receive(...facts);
    expect(agr.view()).toMatchObject({
      state: 'active',
      requestedMandate: A_MANDATE,
      mandate: { payment_terms },
    });
  });
});

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
      recordFact(recordRefusal(state, JUST_BEFORE, { code: 'ZPAGR15' }), activated),
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
    expect(termsStatusOf(recordFact(active, cancelled)).isInDoubt).toBe(true);
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

test('a stream of unexplained events causes at most one immediate look-up for each', async () => {
  const known: Fact[] = [aFact('activated')];
  let sendNext = (): Promise<unknown> => Promise.resolve();
  const { agr, scene, lookUps } = await pending((uid) => {
    const fetched = fetchedAgreement(uid, 'active', [...known]);
    if (known.length < 8) void sendNext();
    return fetched;
  });
  await agr.receive(...known);
  sendNext = () => {
    const strange = aFact('levitated');
    known.push(strange);
    return agr.receive(strange);
  };
  await sendNext();
  expect(known).toHaveLength(8);
  expect(agr.view().awaiting.what).toBe('nothing');
  expect(lookUps.length).toBeLessThanOrEqual(8);
  expect(new Set(lookUps)).toEqual(new Set([0]));
  await scene.pass(DAY);
  expect(lookUps.length).toBeLessThanOrEqual(8);
});

describe('requested look-up', () => {
  const scripted = async (count: number) => {
    const answers = Array.from({ length: count }, () => unanswered<Fetched<AgreementSnapshot>>());
    let begun = 0;
    const scene = inVirtualTime({
      createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
      lookUpAgreement: () => answers[begun++]?.answer ?? Promise.reject(new Error('unexpected look-up')),
    });
    const agr = await scene.agreement();
    const answer = async (index: number) => {
      answers[index]?.open(fetchedAgreement(agr.uid, 'active'));
      await scene.settle();
    };
    return { agr, scene, answer, begun: () => begun };
  };

  test('runs once after the look-up in progress for all requests received since', async () => {
    const { agr, scene, answer, begun } = await scripted(2);
    await agr.lookUpNow();
    await agr.differs();
    await agr.lookUpNow();
    expect(begun()).toBe(1);
    await answer(0);
    expect(begun()).toBe(2);
    await answer(1);
    await scene.pass(DAY);
    expect(begun()).toBe(2);
    expect(agr.view().awaiting.what).toBe('nothing');
  });

  test('is repeated by the new run after continue-as-new', async () => {
    const { agr, answer, begun } = await scripted(2);
    await agr.lookUpNow();
    await agr.growLong();
    expect(begun()).toBe(2);
    await answer(1);
    expect(agr.view().awaiting.what).toBe('nothing');
  });
});
