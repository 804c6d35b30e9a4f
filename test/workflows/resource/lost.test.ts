import { expect, test } from 'vitest';
import { AGREEMENT } from '../../../workflows/agreement/definition.js';
import { A_MANDATE } from '../../support/workflows/provider.js';
import { inVirtualTime, unanswered } from '../../support/workflows/virtual.js';

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
