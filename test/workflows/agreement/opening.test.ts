import { expect, test } from 'vitest';
import { anOrder, refusalIn } from '../../support/workflows/provider.js';
import { SECOND, unanswered } from '../../support/workflows/virtual.js';
import { anActiveOne } from '../../support/workflows/virtual-agreement.js';

async function asksSilentRun() {
  const { scene, agr } = await anActiveOne({ claimPayment: () => unanswered<never>().answer });
  scene.begun.set('payment/p', {});
  const use = { key: 'k', uid: 'p', body: 'b' };
  const answer = agr.pay({ uid: 'p', order: anOrder(agr.uid), use }).catch(refusalIn);
  await scene.settle();
  const refused = async () => [await answer, agr.state().ledger, agr.state().uses];
  return { scene, agr, refused };
}

test('a payment whose uid has a run that does not answer is refused without a trace', async () => {
  const { scene, refused } = await asksSilentRun();
  await scene.pass(8 * SECOND);
  expect(await refused()).toEqual(['uid_unclear', [], []]);
});

test('an agreement continues as new although the run with the uid does not answer', async () => {
  const { agr, refused } = await asksSilentRun();
  await agr.growLong();
  expect(agr.runs()).toBe(2);
  expect(await refused()).toEqual(['uid_unclear', [], []]);
});
