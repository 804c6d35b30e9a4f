import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { aFact } from '../../../support/facts.js';
import { failure, fetchedAgreement } from '../../../support/workflows/provider.js';
import { SECOND, unanswered } from '../../../support/workflows/virtual.js';
import { anActiveOne, ask, bare, stages } from '../../../support/workflows/virtual-agreement.js';
import type { SendCommandAnswer } from '../../../../activities/agreement/send-command.js';
import type { Activities } from '../../../../activities/index.js';

async function suspending(given: Partial<Activities> = {}) {
  const { answer, open, fail } = unanswered<SendCommandAnswer>();
  const sendCommand: Activities['sendCommand'] = ({ command: { kind } }) =>
    kind === 'suspension' ? answer : Promise.resolve({ outcome: 'accepted' });
  const { agr, scene, sent } = await anActiveOne({ ...given, sendCommand });
  await agr.ask(ask('suspension'));
  return { agr, scene, sent, open, fail };
}

describe('command in flight', () => {
  test('delays look-ups until its answer and is sent once', async () => {
    const strange = aFact('levitated');
    const { agr, scene, sent, open } = await suspending({
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active', [strange])),
    });
    await agr.receive(strange);
    await agr.lookUpNow();
    await scene.pass(60 * SECOND);
    expect(scene.calls).not.toContain('lookUpAgreement');
    open({ outcome: 'accepted' });
    await scene.settle();
    expect(agr.view().awaiting.what).toBe('action-outcome');
    expect(scene.calls.filter((name) => name === 'lookUpAgreement')).toHaveLength(1);
    expect(sent).toEqual(['suspension']);
  });

  test.each<[string, (door: Pick<Awaited<ReturnType<typeof suspending>>, 'open' | 'fail'>) => void]>([
    [
      'is accepted',
      ({ open }) => {
        open({ outcome: 'accepted' });
      },
    ],
    [
      'is refused',
      ({ fail }) => {
        fail(failure('rejected', ['ZPSUS00']));
      },
    ],
    [
      'fails with a retryable error',
      ({ fail }) => {
        fail(new Error('socket hang up'));
      },
    ],
  ])('delays the next command and stays done if it %s after its outcome arrived', async (_, end) => {
    const { agr, scene, sent, open, fail } = await suspending();
    await agr.receive(aFact('suspended', { causedBy: 'initiator' }));
    expect(stages(agr.state())).toEqual(['done']);
    await agr.ask(bare('reactivation', 'go on'));
    await scene.pass(60 * SECOND);
    expect(sent).toEqual(['suspension']);
    end({ open, fail });
    await scene.settle();
    expect(sent).toEqual(['suspension', 'reactivation']);
    expect(stages(agr.state())).toEqual(['done', 'accepted']);
  });

  test('delays continue-as-new until its answer and is not sent again by the new run', async () => {
    const { agr, scene, sent, open } = await suspending();
    await agr.growLong();
    await scene.pass(60 * SECOND);
    expect(agr.runs()).toBe(1);
    open({ outcome: 'accepted' });
    await scene.settle();
    expect(agr.runs()).toBe(2);
    expect(agr.view()).toMatchObject({
      awaiting: { what: 'action-outcome' },
      actions: [{ stage: 'accepted' }],
    });
    await agr.receive(aFact('suspended', { causedBy: 'initiator' }));
    expect(agr.view().pending).toEqual([]);
    expect(sent).toEqual(['suspension']);
  });

  test('delays continue-as-new until its answer, also if its outcome arrives first', async () => {
    const { agr, scene, sent, open } = await suspending();
    await agr.receive(aFact('suspended', { causedBy: 'initiator' }));
    await agr.growLong();
    await scene.pass(60 * SECOND);
    expect(agr.runs()).toBe(1);
    open({ outcome: 'accepted' });
    await scene.settle();
    expect(agr.runs()).toBe(2);
    await agr.ask(bare('reactivation', 'go on'));
    expect(stages(agr.state())).toEqual(['done', 'accepted']);
    expect(sent).toEqual(['suspension', 'reactivation']);
  });
});

describe('requested command', () => {
  test('is sent at once if the previous command is done and waits for its retry', async () => {
    const { agr, sent } = await anActiveOne({
      sendCommand: ({ command: { kind } }) =>
        kind === 'suspension'
          ? Promise.reject(ApplicationFailure.create({ type: 'unavailable', nextRetryDelay: '5m' }))
          : Promise.resolve({ outcome: 'accepted' }),
    });
    await agr.ask(ask('suspension'));
    await agr.receive(aFact('suspended', { causedBy: 'initiator' }));
    await agr.ask(bare('reactivation', 'go on'));
    expect(sent).toEqual(['suspension', 'reactivation']);
    expect(stages(agr.state())).toEqual(['done', 'accepted']);
  });

  test('does not wait for a look-up in progress or for repeated look-ups', async () => {
    const { answer } = unanswered<ReturnType<typeof fetchedAgreement>>();
    const { agr } = await anActiveOne({ lookUpAgreement: () => answer });
    await agr.lookUpNow();
    expect(agr.view().awaiting.what).toBe('look-up');
    await agr.lookUpNow();
    await agr.ask(ask('suspension'));
    expect(stages(agr.state())).toEqual(['accepted']);
  });

  test('does not wait for repeated look-ups of an unexplained event', async () => {
    const { agr } = await anActiveOne({
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    });
    await agr.receive(aFact('levitated'));
    expect(agr.view().awaiting.what).toBe('look-up');
    await agr.ask(ask('suspension'));
    expect(stages(agr.state())).toEqual(['accepted']);
    expect(agr.view().awaiting.what).toBe('look-up');
  });
});
