import { expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { failure, fetchedPayment } from '../../support/workflows/provider.js';
import { HOUR, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import { applyFact } from '../../../workflows/payment/state.js';
import type { Activities } from '../../../activities/index.js';
import type { Fact } from '../../../domain/facts/fact.js';

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
