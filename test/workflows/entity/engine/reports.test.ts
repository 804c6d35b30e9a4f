import { expect, test } from 'vitest';
import { HANDLERS as AGREEMENTS } from '../../../../workflows/agreement/handlers.js';
import { HANDLERS as CLIENTS } from '../../../../workflows/client/handlers.js';
import { failure, fetchedAgreement, fetchedClient, nothingNew } from '../../../support/workflows/provider.js';
import { DAY, inVirtualTime } from '../../../support/workflows/virtual.js';

const WHO = 'onboarding/onb-1';
const asks = (wordRead: string) => ({ workflowId: WHO, wordRead });

test.each(['active', 'declined'])('an agreement reports that it is %s, once', async (end) => {
  const at = { state: 'created' };
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    watchAgreement: ({ uid, snapshotState }) =>
      at.state === snapshotState
        ? Promise.reject(nothingNew(60_000))
        : Promise.resolve(fetchedAgreement(uid, at.state)),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, at.state)),
  });
  const agreement = await scene.agreement();
  await agreement.send(AGREEMENTS.reportTo, asks('created'));
  await agreement.send(AGREEMENTS.reportTo, asks('created'));
  expect(scene.signalled).toEqual([]);
  at.state = end;
  await scene.pass(DAY);
  expect(scene.signalled).toEqual([WHO]);
  expect(agreement.isOver()).toBe(end === 'declined');
});

test('a client that waits for a person reports that, and what was read before is reported at once', async () => {
  const scene = inVirtualTime({
    findClient: () => Promise.reject(failure('forbidden')),
    createClient: ({ uid }) => Promise.resolve(fetchedClient(uid, 'pending')),
  });
  const client = await scene.client();
  await client.send(CLIENTS.reportTo, asks('requested'));
  expect(scene.signalled).toEqual([WHO]);
  await client.send(CLIENTS.reportTo, asks('requested reauthorisation'));
  expect(scene.signalled).toEqual([WHO]);
});
