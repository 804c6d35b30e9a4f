import { expect, test } from 'vitest';
import { AGREEMENT } from '../../../workflows/agreement/definition.js';
import { PAYMENT } from '../../../workflows/payment/definition.js';
import { A_MANDATE, failure } from '../../support/workflows/provider.js';
import { HOUR, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';

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
