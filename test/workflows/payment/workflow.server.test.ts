import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { askAgreementActivity } from '../../../activities/payment/ask-agreement.js';
import { agreementFact } from '../../../workflows/agreement/contract.js';
import { aFact } from '../../support/facts.js';
import { useTemporal } from '../../support/temporal.js';
import { anOrder, fetchedAgreement, only } from '../../support/workflows/provider.js';
import { startAgreement, untilAgreement } from '../../support/workflows/runs.js';

const temporal = useTemporal();

test('an agreement allows or delays its payments while open and refuses them after its end', async () => {
  const world = only({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  });
  await temporal.run(world, async () => {
    const agreement = await startAgreement(temporal);
    const activity = askAgreementActivity({ temporal: temporal.client, now: Date.now });
    const ask = (agreementUid: string): Promise<unknown> =>
      new MockActivityEnvironment().run(activity, {
        ...{ uid: `pay-${randomUUID()}`, connectionId: 'acme' },
        order: anOrder(agreementUid),
        isRetry: false,
      });
    const receive = async (...[type, over]: Parameters<typeof aFact>) => {
      await agreement.signal(agreementFact, aFact(type, over));
    };
    await receive('activated');
    await untilAgreement(agreement, ({ state }) => state === 'active');
    expect(await ask(agreement.uid)).toMatchObject({ judged: { state: 'active' } });
    await receive('suspended', { authenticated: false });
    await expect(ask(agreement.uid)).rejects.toMatchObject({ type: 'nothing_new', nonRetryable: false });
    await agreement.terminate();
    expect(await ask(agreement.uid)).toEqual(await ask('never-started'));
    expect(await ask(agreement.uid)).toMatchObject({ refusal: { code: 'agreement_final' } });
  });
});
