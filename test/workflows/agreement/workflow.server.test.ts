import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import {
  agreementFact,
  connectionRestored,
  getAgreement,
  requestAction,
} from '../../../workflows/agreement/contract.js';
import { aFact } from '../../support/facts.js';
import { eventsOf, eventually, fastForward, useTemporal } from '../../support/temporal.js';
import { failure, fetchedAgreement, nothingNew, only, refusalIn } from '../../support/workflows/provider.js';
import { startAgreement, untilAgreement } from '../../support/workflows/starting.js';
import { unanswered } from '../../support/workflows/virtual.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { SendCommandAnswer } from '../../../activities/send-command.js';
import type { Activities } from '../../../activities/index.js';
import type { ActionRequest } from '../../../domain/action.js';

const temporal = useTemporal();
const SUSPENSION: ActionRequest = {
  key: 'pause',
  ask: { kind: 'suspension', body: { reason: 'customer_requested', narrative: 'As asked' } },
};
const RESUMPTION: ActionRequest = { key: 'go on', ask: { kind: 'reactivation', body: {} } };

const during = (given: Partial<Activities>, work: () => Promise<void>) =>
  temporal.run(
    only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')), ...given }),
    work,
  );

const untilWatchRests = (handle: WorkflowHandle) =>
  eventually(
    async () => (await handle.describe()).raw.pendingActivities ?? [],
    (pending) => pending.length > 0 && pending.every(({ attempt }) => (attempt ?? 1) > 1),
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

test('an agreement is created, becomes active, takes a command, and ends, all as the provider says', async () => {
  const sent: unknown[] = [];
  const sendCommand: Activities['sendCommand'] = (args) => {
    sent.push(args);
    return Promise.resolve({ outcome: 'accepted' });
  };
  await during({ sendCommand }, async () => {
    const handle = await startAgreement(temporal);
    const created = await untilAgreement(handle, ({ state }) => state === 'created');
    expect(created.awaiting).toMatchObject({ what: 'payer-decision' });
    await handle.signal(agreementFact, aFact('activated'));
    await untilAgreement(handle, ({ state }) => state === 'active');

    expect(await ask(handle, SUSPENSION)).toEqual({
      key: 'pause',
      kind: 'suspension',
      stage: 'asked',
      fresh: true,
    });
    const waiting = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'action-outcome');
    expect(waiting.pending).toMatchObject([{ kind: 'suspension', key: 'pause', isAccepted: true }]);
    expect(sent).toMatchObject([{ uid: handle.uid, ask: SUSPENSION.ask }]);
    expect(await ask(handle, SUSPENSION)).toMatchObject({ fresh: false, stage: 'accepted' });
    expect(sent).toHaveLength(1);

    await untilWatchRests(handle);
    const before = await eventsOf(handle);
    expect(await ask(handle, { ...RESUMPTION, key: 'pause' }).catch(refusalIn)).toBe('action_key_conflict');
    expect(await ask(handle, RESUMPTION).catch(refusalIn)).toBe('agreement_state_forbids');
    expect(await eventsOf(handle)).toBe(before);

    await handle.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
    const view = await untilAgreement(handle, ({ pending }) => pending.length === 0);
    expect(view).toMatchObject({ state: 'suspended', actions: [{ key: 'pause', stage: 'done' }] });
    await handle.signal(agreementFact, aFact('cancelled'));
    expect(await handle.result()).toMatchObject({
      state: 'cancelled',
      carried: { state: { uid: handle.uid } },
    });
  });
});

test('a request that finds nothing new writes no event', async () => {
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

test('the payer’s five days are over by the workflow’s own clock, and consent is waited for by signal', async () => {
  let isAllowed = false;
  const createAgreement: Activities['createAgreement'] = ({ uid }) =>
    isAllowed
      ? Promise.resolve(fetchedAgreement(uid, 'created'))
      : Promise.reject(failure('needs_reauthorisation'));
  const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
    Promise.resolve(fetchedAgreement(uid, 'created'));
  await during({ createAgreement, lookUpAgreement }, async () => {
    const handle = await startAgreement(temporal);
    const waits = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
    expect(waits).toMatchObject({ state: 'pending', attention: [{ code: 'needs_reauthorisation' }] });
    isAllowed = true;
    await handle.signal(connectionRestored);
    await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'payer-decision');
    await fastForward(temporal.client, handle.workflowId, 5 * 86_400 + 60);
    const late = await untilAgreement(
      handle,
      ({ attention, awaiting }) => attention.length > 0 && awaiting.what === 'payer-decision',
    );
    expect(late).toMatchObject({ state: 'created', attention: [{ code: 'overdue' }] });
    await handle.signal(agreementFact, aFact('expired'));
    expect(await handle.result()).toMatchObject({ state: 'expired', attention: [] });
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

describe('a command whose outcome is reported before its answer', () => {
  test('is not overtaken by the next one while an attempt is on its way, and is not tried again', async () => {
    const calls: string[] = [];
    const { answer, fail } = unanswered<SendCommandAnswer>();
    const sendCommand: Activities['sendCommand'] = async ({ ask: { kind } }) => {
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

  test('is over at once while no attempt is on its way', async () => {
    const calls: string[] = [];
    const sendCommand: Activities['sendCommand'] = ({ ask: { kind } }) => {
      calls.push(kind);
      return kind === 'suspension'
        ? Promise.reject(ApplicationFailure.create({ type: 'unavailable', nextRetryDelay: '5m' }))
        : Promise.resolve({ outcome: 'accepted' });
    };
    await during({ sendCommand }, async () => {
      const handle = await reportedBeforeAnswered(async (asked) => {
        const { raw } = await asked.describe();
        return raw.pendingActivities?.some(({ lastFailure }) => lastFailure != null) ?? false;
      });
      await untilAgreement(handle, ({ actions }) => actions[1]?.stage === 'accepted');
      expect(calls).toEqual(['suspension', 'reactivation']);
      await handle.terminate();
    });
  });
});
