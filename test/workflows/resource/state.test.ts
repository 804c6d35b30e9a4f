import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { active } from '../../support/workflows/agreement-states.js';
import { applyFact } from '../../../workflows/agreement/state.js';
import { termsStatusOf } from '../../../workflows/agreement/terms.js';
import { observedFact } from '../../../workflows/resource/judge-snapshot.js';
import { applyOthersFact } from '../../../workflows/resource/others.js';
import { fetchedAgreement } from '../../support/workflows/provider.js';
import { DAY, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Fact } from '../../../domain/facts/fact.js';

const cancelled = aFact('cancelled', { namedConnectionId: 'another' });

async function received(there: string, history: Fact[], ...facts: Fact[]) {
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, there, history)),
  });
  const agr = await scene.agreement({ connectionId: 'acme' });
  await agr.receive(...facts);
  const lookUps = scene.calls.filter((name) => name === 'lookUpAgreement').length;
  await scene.pass(DAY);
  return { lookUps, isOver: agr.isOver(), view: agr.view(), facts: agr.state().facts };
}

test('an event at another connection’s address is stored without effect if the provider contradicts it', async () => {
  const { lookUps, view, facts } = await received('active', [], cancelled);
  expect(lookUps).toBe(1);
  expect(view).toMatchObject({ state: 'active', attention: [], awaiting: { what: 'nothing' } });
  expect(facts).toContainEqual(expect.objectContaining({ id: cancelled.id, authenticated: false }));
});

test('an event at another connection’s address counts if the provider’s history contains it', async () => {
  const { lookUps, isOver, view } = await received(
    'cancelled',
    [{ ...cancelled, source: 'history' }],
    cancelled,
  );
  expect({ lookUps, isOver, state: view.state }).toEqual({ lookUps: 1, isOver: true, state: 'cancelled' });
});

test('an event at the agreement’s own address counts at once', async () => {
  const { lookUps, view } = await received('active', [], { ...cancelled, namedConnectionId: 'acme' });
  expect({ lookUps, state: view.state }).toEqual({ lookUps: 0, state: 'cancelled' });
});

describe('a fact that only a secret of another connection proves', () => {
  const HINT = { namedConnectionId: 'another', provenConnectionId: 'another' };
  const forged = aFact('cancelled', { ...HINT, publishedAt: '9999-12-31T23:59:59.999Z' });

  test('is stored, but changes no order, state or permission', () => {
    const hinted = applyFact(active, forged);
    expect(hinted).toMatchObject({ unplaced: [{ id: forged.id, authenticated: false }], isLookUpDue: true });
    expect(hinted.facts).toBe(active.facts);
    expect(termsStatusOf(hinted)).toEqual(termsStatusOf(active));
    const seen = [{ uid: 'agr', state: 'suspended' }, forged.receivedAt] as const;
    expect(observedFact(hinted, ...seen)).toEqual(observedFact(active, ...seen));
  });

  test.each([
    ['of a connection without a consent', applyFact(active, { ...forged, causesNoLookUp: true })],
    ['about another resource under our uid', applyOthersFact(active, forged)],
  ])('causes no look-up if it is %s', (_, { facts, unplaced, isLookUpDue }) => {
    expect({ facts, isLookUpDue }).toEqual({ facts: active.facts, isLookUpDue: active.isLookUpDue });
    expect(unplaced).toHaveLength(1);
  });

  test('causes at most one look-up a minute', async () => {
    const lookUps: string[] = [];
    const scene = inVirtualTime({
      createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
      lookUpAgreement: ({ uid }) => {
        lookUps.push(scene.now());
        return Promise.resolve(fetchedAgreement(uid, 'active'));
      },
    });
    const agr = await scene.agreement({ connectionId: 'acme' });
    for (let sent = 0; sent < 13; sent += 1) {
      await agr.receive(aFact('cancelled', { ...HINT, receivedAt: scene.now() }));
      await scene.pass(10 * SECOND);
    }
    expect(lookUps).toHaveLength(3);
    expect(agr.view()).toMatchObject({ state: 'active', attention: [] });
  });
});
