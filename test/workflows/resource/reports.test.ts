import { CLIENT } from '../../../workflows/client/definition.js';
import { AGREEMENT } from '../../../workflows/agreement/definition.js';
import { expect, test } from 'vitest';
import { failure, fetchedAgreement, fetchedClient, nothingNew } from '../../support/workflows/provider.js';
import { DAY, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';

const WHO = 'onboarding/onb-1';
const asks = (wordRead: string) => ({ workflowId: WHO, wordRead });

function receiver(closed: string[] = []) {
  const reports: [string[], string][] = [];
  const reportProgress: Activities['reportProgress'] = ({ to, report: { reading } }) => {
    reports.push([to, reading.state]);
    return Promise.resolve(closed);
  };
  return { reports, reportProgress };
}

test.each(['active', 'declined'])('an agreement reports its state %s once', async (end) => {
  const at = { state: 'created' };
  const { reports, reportProgress } = receiver();
  const scene = inVirtualTime({
    reportProgress,
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    watchAgreement: ({ uid, snapshotState }) =>
      at.state === snapshotState
        ? Promise.reject(nothingNew(60_000))
        : Promise.resolve(fetchedAgreement(uid, at.state)),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, at.state)),
  });
  const agreement = await scene.agreement();
  await agreement.send(AGREEMENT.handlers.reportTo, asks('created'));
  await agreement.send(AGREEMENT.handlers.reportTo, asks('created'));
  expect(reports).toEqual([]);
  at.state = end;
  await scene.pass(DAY);
  expect(reports).toEqual([[[WHO], end]]);
  expect(agreement.isOver()).toBe(end === 'declined');
});

test('a client reports at once that it waits for a person, unless its onboarding has read that already', async () => {
  const { reports, reportProgress } = receiver();
  const scene = inVirtualTime({
    reportProgress,
    findClient: () => Promise.reject(failure('forbidden')),
    createClient: ({ uid }) => Promise.resolve(fetchedClient(uid, 'pending')),
  });
  const client = await scene.client();
  await client.send(CLIENT.handlers.reportTo, asks('requested'));
  expect(reports).toEqual([[[WHO], 'requested']]);
  await client.send(CLIENT.handlers.reportTo, asks('requested reauthorisation'));
  expect(reports).toHaveLength(1);
});

test('an ended onboarding receives no further reports', async () => {
  const { reports, reportProgress } = receiver([WHO]);
  const scene = inVirtualTime({
    reportProgress,
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    watchAgreement: ({ uid, snapshotState }) =>
      snapshotState === 'created'
        ? Promise.resolve(fetchedAgreement(uid, 'active'))
        : Promise.reject(nothingNew(60_000)),
  });
  const agreement = await scene.agreement();
  await agreement.send(AGREEMENT.handlers.reportTo, asks(''));
  await scene.pass(DAY);
  expect(reports).toHaveLength(1);
});
