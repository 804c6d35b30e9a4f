import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFECYCLE, type AgreementSnapshot } from '../../../../domain/agreement/lifecycle.js';
import { applyFact } from '../../../../workflows/agreement/state.js';
import { openQuestions } from '../../../../workflows/resource/state.js';
import { aFact } from '../../../support/facts.js';
import { active, next, shown } from '../../../support/workflows/agreement-states.js';
import { A_MANDATE, fetchedAgreement } from '../../../support/workflows/provider.js';
import { DAY, inVirtualTime, unanswered } from '../../../support/workflows/virtual.js';
import { pending } from '../../../support/workflows/virtual-agreement.js';
import type { Fact } from '../../../../domain/facts/fact.js';
import type { Fetched } from '../../../../domain/facts/snapshot.js';

export const UNRECOGNISED = {
  code: 'unrecognised',
  detail: expect.stringContaining('which this release does not know') as string,
};
const questions = (state: typeof active): string[] => openQuestions(AGREEMENT_LIFECYCLE, state);

function overtaken(state: typeof active, late: Fact, word = 'active') {
  return shown(applyFact(state, late), fetchedAgreement('agr', word, state.facts), questions(state));
}

describe('snapshot overtaken by an unexplained event', () => {
  const strange = aFact('levitated');
  const asked = applyFact(active, strange);

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
