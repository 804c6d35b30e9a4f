import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import { validateRequest } from '../../../workflows/agreement/commands.js';
import {
  newAgreement,
  applyUnknownAgreement,
  applyFact,
  applyRefusal,
} from '../../../workflows/agreement/state.js';
import { compact } from '../../../workflows/resource/compact.js';
import { published } from '../../../workflows/agreement/view.js';
import { aFact } from '../../support/facts.js';
import {
  NOW,
  activated,
  active,
  asked,
  fresh,
  next,
  outOfPlace,
  shown,
  some,
  taken,
  received,
} from '../../support/workflows/agreement-states.js';
import { failure, fetchedAgreement } from '../../support/workflows/provider.js';
import { anActiveOne, ask, change, stages } from '../../support/workflows/virtual-agreement.js';
import { HOUR, SECOND } from '../../support/workflows/virtual.js';
import type { Fact } from '../../../domain/facts/fact.js';

describe('suspension refused because of the current state', () => {
  test('is done if the payer has just suspended the agreement', () => {
    const pushed = aFact('suspended', { causedBy: 'debtor', authenticated: false });
    const read: Fact = { ...pushed, authenticated: true, source: 'history' };
    const sent = asked(applyFact(active, pushed), ask('suspension'));
    const seen = outOfPlace(sent, 'k', fetchedAgreement('agr', 'suspended', [read]));
    expect(stages(seen)).toEqual(['done']);
    expect(() => validateRequest(seen, ask('cancellation', 'k-2'))).not.toThrow();
  });

  test('stays accepted until a look-up confirms the unexplained state', () => {
    const paused = fetchedAgreement('agr', 'suspended', [activated]);
    const seen = outOfPlace(asked(active, ask('suspension')), 'k', paused);
    expect(stages(seen)).toEqual(['accepted']);
    expect(next(seen)?.do).toBe('look_up');
    expect(stages(shown(seen, paused))).toEqual(['done']);
  });

  test('is refused if the agreement was suspended before the command', () => {
    const paused = [aFact('suspended', { causedBy: 'debtor' }), aFact('suspended', { source: 'history' })];
    const sent = asked(active, ask('suspension'));
    const actions = sent.actions.map((action) => ({ ...action, after: paused[1]?.publishedAt }));
    const seen = outOfPlace(
      { ...sent, actions },
      'k',
      fetchedAgreement('agr', 'suspended', paused.slice(0, 1)),
    );
    expect(stages(seen)).toEqual(['refused']);
  });
});

describe('cancellation requested during creation', () => {
  test('fails if the provider refuses the agreement', () => {
    const refused = applyRefusal(asked(fresh, ask('cancellation')), NOW, { code: 'ZPUNP01' });
    expect(refused.actions).toMatchObject([{ stage: 'failed', failure: { code: 'agreement_final' } }]);
  });

  test('is refused if the provider does not know the agreement', () => {
    const adopting = newAgreement({ uid: 'agr', connectionId: 'acme' }, NOW);
    const unknown = applyUnknownAgreement(asked(adopting, ask('cancellation')), NOW);
    expect(unknown.actions).toMatchObject([
      { stage: 'refused', endedAt: NOW, failure: { code: 'agreement_unknown' } },
    ]);
  });
});

test('a dropped suspension does not complete a new suspension command', () => {
  const pauses = Array.from({ length: 300 }, () => [
    aFact('suspended', { causedBy: 'initiator' }),
    aFact('reactivated', { causedBy: 'initiator' }),
  ]).flat();
  const ours = some(300, 'refused', { source: 'command', causedBy: 'initiator' });
  const carried = compact(AGREEMENT_LIFECYCLE, received(active, [...pauses, ...ours]));
  expect(carried.facts.some(({ source }) => source === 'webhook')).toBe(false);
  const history = pauses.map((fact) => ({ ...fact, source: 'history' as const }));
  const settled = shown(taken(carried, ask('suspension')), fetchedAgreement('agr', 'active', history));
  expect(settled.actions).toMatchObject([{ key: 'k', stage: 'accepted' }]);
});

describe('command', () => {
  test('ends as refused without a change to the agreement if the provider refuses it', async () => {
    const { agr } = await anActiveOne({
      sendCommand: () => Promise.reject(failure('rejected', ['ZPUNP00'], 'invalid_request', 'Correct it.')),
    });
    await agr.ask(ask('suspension'));
    expect(agr.view()).toMatchObject({
      state: 'active',
      pending: [],
      actions: [{ stage: 'refused', failure: { code: 'ZPUNP00', next: 'Correct it.' } }],
    });
    expect(published(agr.state()).details).toContain('- suspension refused: ZPUNP00. Correct it.');
    expect(agr.timeline().facts.map(({ type }) => type)).toEqual([
      'observed',
      'activated',
      'requested',
      'refused',
    ]);
  });

  test('is sent again only after a look-up if consent was missing', async () => {
    let isAllowed = false;
    const { agr, scene } = await anActiveOne({
      sendCommand: () =>
        isAllowed
          ? Promise.resolve({ outcome: 'accepted' })
          : Promise.reject(failure('needs_reauthorisation')),
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    });
    await agr.ask(ask('suspension'));
    expect(agr.view().awaiting.what).toBe('reauthorisation');
    isAllowed = true;
    await agr.restored();
    expect(scene.calls.filter((name) => name !== 'watchAgreement').slice(1)).toEqual([
      'sendCommand',
      'lookUpAgreement',
      'sendCommand',
    ]);
    expect(agr.view().actions).toMatchObject([{ stage: 'accepted' }]);
  });

  test('is sent again after a look-up if it has no answer for ten minutes', async () => {
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

describe('end of an agreement with a pending action', () => {
  const at = (ms: number): string => new Date(Date.UTC(2026, 11, 1) + ms).toISOString();
  const ended = aFact('cancelled', { publishedAt: at(1000), causedBy: 'debtor' });
  const applied = aFact('amended', { source: 'history', publishedAt: at(0) });

  test.each([
    ['marks the action as done if history shows its outcome', [applied, ended], { stage: 'done' }],
    [
      'marks the action as failed if history shows no outcome',
      [ended],
      { stage: 'failed', failure: { code: 'agreement_final' } },
    ],
  ])('%s', async (_, history, expected) => {
    const { agr, scene } = await anActiveOne({
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'cancelled', history)),
    });
    await agr.ask(change('a-1'));
    await agr.receive(ended);
    expect(agr.isOver()).toBe(true);
    expect(agr.view()).toMatchObject({ state: 'cancelled', actions: [expected] });
    expect(scene.calls.filter((name) => name === 'lookUpAgreement')).toHaveLength(1);
  });
});
