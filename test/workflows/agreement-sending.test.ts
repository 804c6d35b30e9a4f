// When a command goes out: never to what is over, never a second time before a look, and nothing old answers it.
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { withAccepted, withAction } from '../../workflows/agreement/commands.js';
import {
  agreementFact,
  connectionRestored,
  getAgreement,
  requestAction,
} from '../../workflows/agreement/contract.js';
import { newAgreement, withFact, withLook } from '../../workflows/agreement/state.js';
import { nextStep } from '../../workflows/agreement/next.js';
import { compact } from '../../workflows/entity/state.js';
import { aFact } from '../domain/facts.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { A_MANDATE, agreementLook, failure, only } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { ActAnswer } from '../../activities/act-on-agreement.js';
import type { Activities } from '../../activities/index.js';
import type { ActionRequest } from '../../domain/action.js';

const temporal = useTemporal();
const NOW = '2026-11-01T00:00:00.000Z';
const SUSPENSION: ActionRequest = {
  key: 'pause',
  ask: { kind: 'suspension', body: { reason: 'customer_requested', narrative: 'As asked' } },
};
const RESUMPTION: ActionRequest = { key: 'go on', ask: { kind: 'reactivation', body: {} } };
const started = newAgreement({ uid: 'agr', connectionId: 'acme', mandate: A_MANDATE }, NOW);
const active = withFact(withLook(started, agreementLook('agr', 'created')), aFact('activated'));

test('a command that was not sent yet is not sent once the agreement is known to be over', () => {
  const asked = withAction(active, SUSPENSION, NOW);
  expect(nextStep(asked)).toEqual({ do: 'act', key: 'pause' });
  const over = withFact(asked, aFact('cancelled', { causedBy: 'debtor' }));
  expect(nextStep(over).do).toBe('look_up');
});

test('a pause from a time that is forgotten does not answer one that is asked for where nothing told is kept any more', () => {
  const pauses = Array.from({ length: 300 }, () => [
    aFact('suspended', { causedBy: 'initiator' }),
    aFact('reactivated', { causedBy: 'initiator' }),
  ]).flat();
  const ours = Array.from({ length: 300 }, () =>
    aFact('refused', { source: 'command', causedBy: 'initiator' }),
  );
  const known = [...pauses, ...ours].reduce((record, fact) => withFact(record, fact), active);
  const carried = compact(AGREEMENT_LIFE, known);
  expect(carried.facts.some(({ source }) => source === 'webhook')).toBe(false);
  const paused = withAccepted(withAction(carried, SUSPENSION, NOW), 'pause', NOW);
  const history = pauses.map((fact) => ({ ...fact, source: 'history' as const }));
  const looked = withLook(paused, agreementLook('agr', 'active', history));
  expect(looked.actions).toMatchObject([{ key: 'pause', stage: 'accepted' }]);
});

describe('a command of which an attempt may have gone through before consent was missing', () => {
  test('is sent again only after a look', async () => {
    const calls: string[] = [];
    let isAllowed = false;
    const actOnAgreement: Activities['actOnAgreement'] = () => {
      calls.push('act');
      return isAllowed
        ? Promise.resolve({ outcome: 'accepted' })
        : Promise.reject(failure('needs_reauthorisation'));
    };
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) => {
      calls.push('look');
      return Promise.resolve(agreementLook(uid, 'active'));
    };
    const createAgreement: Activities['createAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'created'));
    await temporal.run(only({ createAgreement, actOnAgreement, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await handle.signal(agreementFact, aFact('activated'));
      await untilAgreement(
        handle,
        ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing',
      );
      await handle.executeUpdate(requestAction, { args: [SUSPENSION] });
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
      isAllowed = true;
      await handle.signal(connectionRestored);
      await eventually(() => Promise.resolve(calls.length), (count) => count >= 3); // prettier-ignore
      expect(calls).toEqual(['act', 'look', 'act']);
    });
  });
});

describe('a command whose outcome is told before its answer has come', () => {
  test.each<[string, (letGo: Sent) => void]>([
    ['is taken after all', ({ taken }) => taken({ outcome: 'accepted' })],
    ['is refused', ({ lost }) => lost(failure('rejected', ['ZPSUS00']))],
    ['fails, and would be tried again', ({ lost }) => lost(new Error('socket hang up'))],
  ])('is not overtaken by the next one, and stays answered, when it %s', async (_, end) => {
    const { calls, sent, actOnAgreement } = oneAtATime();
    await temporal.run(taking(actOnAgreement), async () => {
      const handle = await toldBeforeAnswered(() => Promise.resolve(calls.length === 1));
      await handle.executeUpdate(requestAction, { args: [RESUMPTION] });
      expect(await timesScheduled(handle, 'actOnAgreement')).toBe(1);
      end(sent);
      await untilAgreement(handle, ({ actions }) => actions[1]?.stage === 'accepted');
      expect(calls).toEqual(['suspension', 'suspension ends', 'reactivation']);
      const { actions } = await handle.query(getAgreement);
      expect(actions.map(({ kind, stage }) => `${kind} ${stage}`)).toEqual(['suspension done', 'reactivation accepted']); // prettier-ignore
    });
  });
});

test('a command whose outcome is told while no attempt of it is under way is over at once, and the next one is sent', async () => {
  const calls: string[] = [];
  const actOnAgreement: Activities['actOnAgreement'] = ({ ask: { kind } }) => {
    calls.push(kind);
    return kind === 'suspension'
      ? Promise.reject(ApplicationFailure.create({ type: 'unavailable', nextRetryDelay: '5m' }))
      : Promise.resolve({ outcome: 'accepted' });
  };
  await temporal.run(taking(actOnAgreement), async () => {
    const handle = await toldBeforeAnswered(async (asked) => {
      const { raw } = await asked.describe();
      return raw.pendingActivities?.some(({ lastFailure }) => lastFailure != null) ?? false;
    });
    await handle.executeUpdate(requestAction, { args: [RESUMPTION] });
    await untilAgreement(handle, ({ actions }) => actions[1]?.stage === 'accepted');
    expect(calls).toEqual(['suspension', 'reactivation']);
  });
});

const taking = (actOnAgreement: Activities['actOnAgreement']): Activities =>
  only({ createAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, 'created')), actOnAgreement });

/** An agreement whose suspension is told once it has come so far, and before it was answered. */
async function toldBeforeAnswered(hasCome: (handle: WorkflowHandle) => Promise<boolean>) {
  const handle = await startAgreement(temporal);
  await handle.signal(agreementFact, aFact('activated'));
  await handle.executeUpdate(requestAction, { args: [SUSPENSION] });
  await eventually(() => hasCome(handle), Boolean);
  await handle.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
  await untilAgreement(handle, ({ actions }) => actions[0]?.stage === 'done');
  return handle;
}

interface Sent {
  taken: (answer: ActAnswer) => void;
  lost: (error: Error) => void;
}

/** A provider that takes each command at once, but for the first: that is held until it is let go. */
function oneAtATime() {
  const calls: string[] = [];
  const sent: Sent = { taken: () => undefined, lost: () => undefined };
  const held = new Promise<ActAnswer>((taken, lost) => Object.assign(sent, { taken, lost }));
  const actOnAgreement: Activities['actOnAgreement'] = async ({ ask: { kind } }) => {
    calls.push(kind);
    if (kind !== 'suspension') return { outcome: 'accepted' };
    try {
      return await held;
    } finally {
      calls.push(`${kind} ends`);
    }
  };
  return { calls, sent, actOnAgreement };
}

async function timesScheduled(handle: WorkflowHandle, activity: string): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === activity,
  ).length;
}
