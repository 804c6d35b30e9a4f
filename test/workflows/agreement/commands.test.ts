// What callers ask of an agreement: each command has an end, goes out once, never to what is over, and nothing old answers it.
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFE } from '../../../domain/agreement.js';
import { assertAskable } from '../../../workflows/agreement/commands.js';
import { newAgreement, withAgreementUnknown, withFact, withRefusal } from '../../../workflows/agreement/state.js';
import { compact } from '../../../workflows/entity/state.js';
import { aFact } from '../../domain/facts.js';
import { NOW, activated, active, asked, fresh, next, outOfPlace, shown, some, taken, told } from '../../support/workflows/agreement-states.js';
import { failure, fetchedAgreement, nothingNew, refusalIn } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import type { SendCommandAnswer } from '../../../activities/send-command.js';
import type { Activities } from '../../../activities/index.js';
import type { ActionRequest } from '../../../domain/action.js';
import type { Fact } from '../../../domain/fact.js';
import type { State } from '../../../workflows/agreement/state.js';

const WHY = { reason: 'customer_requested', narrative: 'As asked' };
const ask = (kind: 'suspension' | 'cancellation', key = 'k'): ActionRequest => ({ key, ask: { kind, body: WHY } });
const bare = (kind: 'reactivation' | 'amendment_recall', key: string): ActionRequest => ({ key, ask: { kind, body: {} } });
const change = (key: string): ActionRequest => ({
  key,
  ask: { kind: 'amendment', body: { changes: { payment_terms: { max_amount: 40_000 } } } },
});
const stages = ({ actions }: Pick<State, 'actions'>) => actions.map(({ stage }) => stage);

describe('a suspension that the provider does not take', () => {
  test('since the payer has suspended it just before, which nothing vouched for yet, is over', () => {
    const pushed = aFact('suspended', { causedBy: 'debtor', authenticated: false });
    const read: Fact = { ...pushed, authenticated: true, source: 'history' };
    const sent = asked(withFact(active, pushed), ask('suspension'));
    const seen = outOfPlace(sent, 'k', fetchedAgreement('agr', 'suspended', [read]));
    expect(stages(seen)).toEqual(['done']);
    expect(() => assertAskable(seen, ask('cancellation', 'k-2'))).not.toThrow();
  });

  test('though nothing explains the state that is shown, waits until that is settled', () => {
    const paused = fetchedAgreement('agr', 'suspended', [activated]);
    const seen = outOfPlace(asked(active, ask('suspension')), 'k', paused);
    expect(stages(seen)).toEqual(['accepted']);
    expect(next(seen)?.do).toBe('look_up');
    expect(stages(shown(seen, paused))).toEqual(['done']);
  });

  test('of an agreement that had been in that state before is refused, since no event of it will come', () => {
    const paused = [aFact('suspended', { causedBy: 'debtor' }), aFact('suspended', { source: 'history' })];
    const sent = asked(active, ask('suspension'));
    const actions = sent.actions.map((action) => ({ ...action, after: paused[1]?.publishedAt }));
    const seen = outOfPlace({ ...sent, actions }, 'k', fetchedAgreement('agr', 'suspended', paused.slice(0, 1)));
    expect(stages(seen)).toEqual(['refused']);
  });
});

describe('a cancellation asked for while the agreement is still being made', () => {
  test('is over when the provider refuses to make it', () => {
    const refused = withRefusal(asked(fresh, ask('cancellation')), NOW, { code: 'ZPUNP01' });
    expect(refused.actions).toMatchObject([{ stage: 'failed', failure: { code: 'agreement_final' } }]);
  });

  test('is over when the provider does not know the agreement', () => {
    const adopting = newAgreement({ uid: 'agr', connectionId: 'acme' }, NOW);
    const unknown = withAgreementUnknown(asked(adopting, ask('cancellation')), NOW);
    expect(unknown.actions).toMatchObject([{ stage: 'refused', endedAt: NOW, failure: { code: 'agreement_unknown' } }]);
  });
});

test('a suspension of a time that is forgotten does not answer one that is asked for where no event is kept any more', () => {
  const pauses = Array.from({ length: 300 }, () => [
    aFact('suspended', { causedBy: 'initiator' }),
    aFact('reactivated', { causedBy: 'initiator' }),
  ]).flat();
  const ours = some(300, 'refused', { source: 'command', causedBy: 'initiator' });
  const carried = compact(AGREEMENT_LIFE, told(active, [...pauses, ...ours]));
  expect(carried.facts.some(({ source }) => source === 'webhook')).toBe(false);
  const history = pauses.map((fact) => ({ ...fact, source: 'history' as const }));
  const looked = shown(taken(carried, ask('suspension')), fetchedAgreement('agr', 'active', history));
  expect(looked.actions).toMatchObject([{ key: 'k', stage: 'accepted' }]);
});

/** An active agreement, and a provider that takes every command unless a test says otherwise. */
async function anActiveOne(given: Partial<Activities> = {}) {
  const sent: string[] = [];
  const sendCommand = given.sendCommand ?? (() => Promise.resolve({ outcome: 'accepted' } as const));
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    ...given,
    sendCommand: (args) => {
      sent.push(args.ask.kind);
      return sendCommand(args);
    },
  });
  const agr = await scene.agreement();
  await agr.tell(aFact('activated'));
  expect(agr.view()).toMatchObject({ state: 'active', awaiting: { what: 'nothing' } });
  return { scene, agr, sent };
}

describe('a command', () => {
  test('that the provider refuses is over, and leaves the agreement as it was', async () => {
    const { agr } = await anActiveOne({ sendCommand: () => Promise.reject(failure('rejected', ['ZPUNP00'])) });
    await agr.ask(ask('suspension'));
    expect(agr.view()).toMatchObject({
      state: 'active', pending: [], actions: [{ stage: 'refused', failure: { code: 'ZPUNP00' } }],
    });
    expect(agr.timeline().facts.map(({ type }) => type)).toEqual(['observed', 'activated', 'requested', 'refused']);
  });

  test('of which the provider says that it failed is over, and says why', async () => {
    const { agr } = await anActiveOne();
    await agr.ask(ask('suspension'));
    expect(agr.view().awaiting.what).toBe('action-outcome');
    const reason = { code: 'MMS.API.9001', title: 'Not now' };
    await agr.tell(aFact('suspension_failed', { reason }));
    expect(agr.view()).toMatchObject({ state: 'active', pending: [], actions: [{ stage: 'failed', failure: reason }] });
  });

  test('whose answer was lost is done where the provider shows that it is', async () => {
    const { agr } = await anActiveOne({
      sendCommand: ({ uid }) =>
        Promise.resolve({ outcome: 'out_of_place', fetched: fetchedAgreement(uid, 'cancelled'), code: 'ZPCAN00' }),
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'cancelled')),
    });
    await agr.ask(ask('cancellation'));
    expect(agr.view()).toMatchObject({ state: 'cancelled', actions: [{ stage: 'done' }] });
  });

  test('whose outcome no webhook reports is found by asking', async () => {
    const { agr, scene } = await anActiveOne({
      watchAgreement: ({ uid, answers }) => {
        if (answers === undefined) return Promise.reject(nothingNew('50h'));
        return Promise.resolve(fetchedAgreement(uid, 'suspended', [aFact('suspended', { source: 'history', causedBy: 'initiator' })]));
      },
    });
    await agr.ask(ask('suspension'));
    expect(agr.view()).toMatchObject({ state: 'suspended', pending: [], actions: [{ stage: 'done' }] });
    expect(scene.calls.filter((name) => name === 'watchAgreement')).toHaveLength(2);
  });

  test('to resume what the payer paused is refused', async () => {
    const { agr } = await anActiveOne();
    await agr.tell(aFact('suspended', { causedBy: 'debtor' }));
    expect(await agr.ask(bare('reactivation', 'r')).catch(refusalIn)).toBe('suspended_by_payer');
  });

  test('of which an attempt may have gone through before consent was missing is sent again only after a look-up', async () => {
    let isAllowed = false;
    const { agr, scene } = await anActiveOne({
      sendCommand: () => (isAllowed ? Promise.resolve({ outcome: 'accepted' }) : Promise.reject(failure('needs_reauthorisation'))),
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    });
    await agr.ask(ask('suspension'));
    expect(agr.view().awaiting.what).toBe('reauthorisation');
    isAllowed = true;
    await agr.restored();
    expect(scene.calls.filter((name) => name !== 'watchAgreement').slice(1)).toEqual(['sendCommand', 'lookUpAgreement', 'sendCommand']);
    expect(agr.view().actions).toMatchObject([{ stage: 'accepted' }]);
  });

  test('without an answer for ten minutes lets a look-up through, and is sent again', async () => {
    let isAway = true;
    const { agr, scene, sent } = await anActiveOne({
      sendCommand: () =>
        isAway
          ? Promise.reject(ApplicationFailure.create({ type: 'unavailable', nextRetryDelay: '4m' }))
          : Promise.resolve({ outcome: 'accepted' }),
      lookUpAgreement: ({ uid }) => {
        isAway = false;
        return Promise.resolve(fetchedAgreement(uid, 'active'));
      },
    });
    await agr.ask(ask('suspension'));
    await scene.pass(599 * SECOND);
    expect(agr.view().actions).toMatchObject([{ stage: 'asked' }]);
    await scene.pass(HOUR);
    expect(agr.view().actions).toMatchObject([{ stage: 'accepted' }]);
    expect(sent).toHaveLength(4);
  });
});

describe('an amendment', () => {
  test('waits for the payer, one at a time, and can be recalled', async () => {
    const { agr, scene } = await anActiveOne();
    await agr.ask(change('a-1'));
    expect(agr.view().awaiting).toMatchObject({ what: 'amendment-decision' });
    expect(Date.parse(agr.view().awaiting.until ?? '') - Date.parse(scene.now())).toBe(5 * DAY);
    expect(await agr.ask(change('a-2')).catch(refusalIn)).toBe('action_pending');
    await agr.ask(bare('amendment_recall', 'r-1'));
    expect(agr.view().pending.every(({ isAccepted }) => isAccepted)).toBe(true);
    await agr.tell(aFact('amendment_recalled'));
    expect(agr.view()).toMatchObject({
      pending: [],
      actions: [
        { key: 'a-1', stage: 'failed', failure: { code: 'amendment_recalled' } },
        { key: 'r-1', stage: 'done' },
      ],
    });
  });

  test('that the payer accepts brings the new terms', async () => {
    const amended = aFact('amended', { causedBy: 'initiator', publishedAt: '2026-12-01T00:00:00.000Z' });
    const { agr } = await anActiveOne({
      lookUpAgreement: ({ uid }) => {
        const { snapshot, ...fetched } = fetchedAgreement(uid, 'active', [amended]);
        const mandate = { ...snapshot.mandate, payment_terms: { type: 'variable', max_amount: 40_000 } };
        return Promise.resolve({ ...fetched, snapshot: { ...snapshot, mandate } });
      },
    });
    await agr.ask(change('a-1'));
    await agr.tell(amended);
    expect(agr.view()).toMatchObject({
      mandate: { payment_terms: { max_amount: 40_000 } }, actions: [{ stage: 'done' }], awaiting: { what: 'nothing' },
    });
  });
});

describe('an end that leaves an action open', () => {
  const at = (ms: number): string => new Date(Date.UTC(2026, 11, 1) + ms).toISOString();
  const ended = aFact('cancelled', { publishedAt: at(1000), causedBy: 'debtor' });
  const applied = aFact('amended', { source: 'history', publishedAt: at(0) });

  test.each([
    ['may have come after its outcome, which is looked up first', [applied, ended], { stage: 'done' }],
    ['takes the action with it where the provider has no more of it', [ended], { stage: 'failed', failure: { code: 'agreement_final' } }],
  ])('%s', async (_, history, expected) => {
    const { agr, scene } = await anActiveOne({
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'cancelled', history)),
    });
    await agr.ask(change('a-1'));
    await agr.tell(ended);
    expect(agr.isOver()).toBe(true);
    expect(agr.view()).toMatchObject({ state: 'cancelled', actions: [expected] });
    expect(scene.calls.filter((name) => name === 'lookUpAgreement')).toHaveLength(1);
  });
});

/** One suspension that is answered when a test says so; what comes after it is taken at once. */
async function suspending(given: Partial<Activities> = {}) {
  const { answer, open, fail } = unanswered<SendCommandAnswer>();
  const sendCommand: Activities['sendCommand'] = ({ ask: { kind } }) =>
    kind === 'suspension' ? answer : Promise.resolve({ outcome: 'accepted' });
  const { agr, scene, sent } = await anActiveOne({ ...given, sendCommand });
  await agr.ask(ask('suspension'));
  return { agr, scene, sent, open, fail };
}

describe('a command that is on its way', () => {
  test('is not interrupted by a look-up, and sent once', async () => {
    const strange = aFact('levitated');
    const { agr, scene, sent, open } = await suspending({
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active', [strange])),
    });
    await agr.tell(strange);
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
    ['is taken after all', ({ open }) => { open({ outcome: 'accepted' }); }],
    ['is refused', ({ fail }) => { fail(failure('rejected', ['ZPSUS00'])); }],
    ['fails, and would be tried again', ({ fail }) => { fail(new Error('socket hang up')); }],
  ])('and whose outcome comes first is not overtaken by the next one, and stays answered, when it %s', async (_, end) => {
    const { agr, scene, sent, open, fail } = await suspending();
    await agr.tell(aFact('suspended', { causedBy: 'initiator' }));
    expect(stages(agr.state())).toEqual(['done']);
    await agr.ask(bare('reactivation', 'go on'));
    await scene.pass(60 * SECOND);
    expect(sent).toEqual(['suspension']);
    end({ open, fail });
    await scene.settle();
    expect(sent).toEqual(['suspension', 'reactivation']);
    expect(stages(agr.state())).toEqual(['done', 'accepted']);
  });

  test('keeps a fresh run waiting until it is answered, and is not sent by that again', async () => {
    const { agr, scene, sent, open } = await suspending();
    await agr.growLong();
    await scene.pass(60 * SECOND);
    expect(agr.runs()).toBe(1);
    open({ outcome: 'accepted' });
    await scene.settle();
    expect(agr.runs()).toBe(2);
    expect(agr.view()).toMatchObject({ awaiting: { what: 'action-outcome' }, actions: [{ stage: 'accepted' }] });
    await agr.tell(aFact('suspended', { causedBy: 'initiator' }));
    expect(agr.view().pending).toEqual([]);
    expect(sent).toEqual(['suspension']);
  });

  test('though its outcome came before, keeps a fresh run waiting, which sends the next', async () => {
    const { agr, scene, sent, open } = await suspending();
    await agr.tell(aFact('suspended', { causedBy: 'initiator' }));
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

describe('a command that is asked for', () => {
  test('is sent at once where the one before it is over and only waits to be tried again', async () => {
    const { agr, sent } = await anActiveOne({
      sendCommand: ({ ask: { kind } }) =>
        kind === 'suspension'
          ? Promise.reject(ApplicationFailure.create({ type: 'unavailable', nextRetryDelay: '5m' }))
          : Promise.resolve({ outcome: 'accepted' }),
    });
    await agr.ask(ask('suspension'));
    await agr.tell(aFact('suspended', { causedBy: 'initiator' }));
    await agr.ask(bare('reactivation', 'go on'));
    expect(sent).toEqual(['suspension', 'reactivation']);
    expect(stages(agr.state())).toEqual(['done', 'accepted']);
  });

  test('does not wait for a look-up that is under way, nor for those that are asked for without end', async () => {
    const { answer } = unanswered<ReturnType<typeof fetchedAgreement>>();
    const { agr } = await anActiveOne({ lookUpAgreement: () => answer });
    await agr.lookUpNow();
    expect(agr.view().awaiting.what).toBe('look-up');
    await agr.lookUpNow();
    await agr.ask(ask('suspension'));
    expect(stages(agr.state())).toEqual(['accepted']);
  });

  test('does not wait for what is looked up again and again, since nothing explains it', async () => {
    const { agr } = await anActiveOne({ lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')) });
    await agr.tell(aFact('levitated'));
    expect(agr.view().awaiting.what).toBe('look-up');
    await agr.ask(ask('suspension'));
    expect(stages(agr.state())).toEqual(['accepted']);
    expect(agr.view().awaiting.what).toBe('look-up');
  });
}); // prettier-ignore
