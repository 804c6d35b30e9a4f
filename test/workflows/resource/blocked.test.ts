import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { denial, failure, fetchedAgreement, fetchedPayment } from '../../support/workflows/provider.js';
import { HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import { anActiveOne, ask } from '../../support/workflows/virtual-agreement.js';
import type { Activities } from '../../../activities/index.js';

function denying(times: number) {
  const at: number[] = [];
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => answer(() => fetchedAgreement(uid, 'created')),
    submitPayment: ({ uid }) => answer(() => fetchedPayment(uid, 'created')),
  });
  const answer = <T>(taken: () => T): Promise<T> =>
    at.push(Date.parse(scene.now()) / SECOND) > times ? Promise.resolve(taken()) : Promise.reject(denial());
  return { scene, pauses: () => at.slice(1).map((second, index) => second - (at[index] ?? 0)) };
}

describe.each(['agreement', 'payment'] as const)('denied submission of a new %s', (kind) => {
  test('is repeated with a growing backoff', async () => {
    const { scene, pauses } = denying(4);
    const it = await scene[kind]();
    const begun = scene.now();
    await scene.pass(HOUR);
    expect(it.view()).toMatchObject({
      awaiting: { what: 'reauthorisation' },
      attention: [{ code: 'forbidden', since: begun }],
    });
    await scene.pass(HOUR);
    const shares = pauses().map((pause, index) => pause / ([60, 300, 1800, 3600][index] ?? 0));
    expect(shares).toHaveLength(4);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.89);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1.11);
    expect(it.state().submission).toMatchObject({ stage: 'open', count: 1 });
    expect(it.view().attention).toEqual([]);
  });

  test('is repeated at once after consent', async () => {
    const { scene, pauses } = denying(1);
    const it = await scene[kind]();
    await scene.pass(SECOND);
    await it.restored();
    await scene.pass(HOUR);
    expect(pauses()).toEqual([1]);
  });
});

test('a denied command is repeated after a look-up and a later denial restarts the backoff', async () => {
  let denials = 2;
  const sendCommand: Activities['sendCommand'] = () =>
    denials-- > 0 ? Promise.reject(denial()) : Promise.resolve({ outcome: 'accepted' });
  const { scene, agr, sent } = await anActiveOne({
    sendCommand,
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
  });
  await agr.ask(ask('suspension', 'first'));
  await scene.pass(HOUR);
  expect(sent).toEqual(['suspension', 'suspension', 'suspension']);
  expect(agr.state().denials?.count).toBe(2);
  await agr.receive(aFact('suspended', { causedBy: 'initiator' }));
  await scene.pass(HOUR);
  denials = 1;
  await agr.ask(ask('cancellation', 'second'));
  expect(agr.state().denials?.count).toBe(1);
});

test('a denial that names a scope waits for consent without retries', async () => {
  const scene = inVirtualTime({ createAgreement: () => Promise.reject(failure('forbidden')) });
  const it = await scene.agreement();
  await scene.pass(100 * HOUR);
  expect(scene.calls).toEqual(['createAgreement']);
  expect(it.view().attention).toMatchObject([{ code: 'forbidden' }]);
});
