import { expect, test } from 'vitest';
import { aFact } from '../../../support/facts.js';
import { fetchedAgreement } from '../../../support/workflows/provider.js';
import { DAY, inVirtualTime } from '../../../support/workflows/virtual.js';
import type { Fact } from '../../../../domain/facts/fact.js';

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
