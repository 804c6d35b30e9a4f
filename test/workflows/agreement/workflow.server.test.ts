import { describe, expect, test } from 'vitest';
import { agreementFact, getAgreement, requestAction } from '../../../workflows/agreement/contract.js';
import { aFact } from '../../support/facts.js';
import { eventsOf, eventually, useTemporal } from '../../support/temporal.js';
import { fetchedAgreement, nothingNew, only } from '../../support/workflows/provider.js';
import { startAgreement, untilAgreement } from '../../support/workflows/runs.js';
import { unanswered } from '../../support/workflows/virtual.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { SendCommandAnswer } from '../../../activities/agreement/send-command.js';
import type { Activities } from '../../../activities/index.js';
import type { ActionRequest } from '../../../domain/agreement/action.js';

const temporal = useTemporal();
const SUSPENSION: ActionRequest = {
  key: 'pause',
  command: { kind: 'suspension', body: { reason: 'customer_requested', narrative: 'As asked' } },
};
const RESUMPTION: ActionRequest = { key: 'go on', command: { kind: 'reactivation', body: {} } };

const during = (given: Partial<Activities>, work: () => Promise<void>) =>
  temporal.run(
    only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')), ...given }),
    work,
  );

async function anActiveOne() {
  const handle = await startAgreement(temporal);
  await handle.signal(agreementFact, aFact('activated'));
  await untilAgreement(handle, ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing');
  return handle;
}

const ask = (handle: WorkflowHandle, request: ActionRequest) =>
  handle.executeUpdate(requestAction, { args: [request] });
const count = (list: readonly unknown[], length: number) =>
  eventually(
    () => Promise.resolve(list.length),
    (seen) => seen >= length,
  );

test('a poll that finds nothing new writes no event', async () => {
  const requests: string[] = [];
  const watchAgreement: Activities['watchAgreement'] = ({ uid }) =>
    Promise.reject(nothingNew(requests.push(uid) < 8 ? 1 : '6h'));
  await during({ watchAgreement }, async () => {
    const handle = await startAgreement(temporal);
    await count(requests, 2);
    const before = await eventsOf(handle);
    await count(requests, 8);
    expect(await eventsOf(handle)).toBe(before);
    await handle.terminate();
  });
});

async function reportedBeforeAnswered(hasCome: (handle: WorkflowHandle) => Promise<boolean>) {
  const handle = await anActiveOne();
  await ask(handle, SUSPENSION);
  await eventually(() => hasCome(handle), Boolean);
  await handle.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
  await untilAgreement(handle, ({ actions }) => actions[0]?.stage === 'done');
  await ask(handle, RESUMPTION);
  return handle;
}

describe('command whose outcome arrives before its answer', () => {
  test('delays the next command until its attempt ends and is not retried', async () => {
    const calls: string[] = [];
    const { answer, fail } = unanswered<SendCommandAnswer>();
    const sendCommand: Activities['sendCommand'] = async ({ command: { kind } }) => {
      calls.push(kind);
      if (kind !== 'suspension') return { outcome: 'accepted' };
      return answer.finally(() => calls.push(`${kind} ends`));
    };
    await during({ sendCommand }, async () => {
      const handle = await reportedBeforeAnswered(() => Promise.resolve(calls.length === 1));
      const { events } = await handle.fetchHistory();
      const scheduled = (events ?? []).flatMap(
        ({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name ?? [],
      );
      expect(scheduled.filter((name) => name === 'sendCommand')).toHaveLength(1);
      fail(new Error('socket hang up'));
      await untilAgreement(handle, ({ actions }) => actions[1]?.stage === 'accepted');
      expect(calls).toEqual(['suspension', 'suspension ends', 'reactivation']);
      expect((await handle.query(getAgreement)).actions.map(({ stage }) => stage)).toEqual([
        'done',
        'accepted',
      ]);
      await handle.terminate();
    });
  });
});
