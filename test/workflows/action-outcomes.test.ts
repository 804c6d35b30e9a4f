// Commands that met something else on their way: each has an end, and the provider is not asked about it without pause.
import { describe, expect, test } from 'vitest';
import { assertAskable, withAction, withActionLook } from '../../workflows/agreement/commands.js';
import { newAgreement, withFact, withLook, withOrphanage, withRefusal } from '../../workflows/agreement/state.js'; // prettier-ignore
import { nextStep } from '../../workflows/agreement/next.js';
import { aFact } from '../domain/facts.js';
import { A_MANDATE, fetchedAgreement } from './provider.js';
import type { ActionRequest } from '../../domain/action.js';
import type { Fact } from '../../domain/fact.js';
import type { State } from '../../workflows/agreement/state.js';

const NOW = '2026-11-01T00:00:00.000Z';
const WHY = { reason: 'customer_requested', narrative: 'As asked' };
const asked = (key: string, kind: 'suspension' | 'cancellation'): ActionRequest => ({
  key,
  ask: { kind, body: WHY },
});
const fresh = newAgreement({ uid: 'agr', connectionId: 'acme', mandate: A_MANDATE }, NOW);
const activated = aFact('activated');
const active = withFact(withLook(fresh, fetchedAgreement('agr', 'created')), activated);
const stages = ({ actions }: State) => actions.map(({ stage }) => stage);
const REFUSAL = { code: 'ZPSUS00' };

describe('a pause that the provider does not take', () => {
  test('since the payer has paused it just before, which nobody vouched for yet, is over', () => {
    const pushed = aFact('suspended', { causedBy: 'debtor', authenticated: false });
    const read: Fact = { ...pushed, authenticated: true, source: 'history' };
    const told = withAction(withFact(active, pushed), asked('k', 'suspension'), NOW);
    const seen = withActionLook(told, 'k', fetchedAgreement('agr', 'suspended', [read]), REFUSAL);
    expect(stages(seen)).toEqual(['done']);
    expect(() => assertAskable(seen, asked('k-2', 'cancellation'))).not.toThrow();
  });

  test('though nothing explains the state that is shown, waits until that is settled', () => {
    const told = withAction(active, asked('k', 'suspension'), NOW);
    const paused = fetchedAgreement('agr', 'suspended', [activated]);
    const seen = withActionLook(told, 'k', paused, REFUSAL);
    expect(stages(seen)).toEqual(['accepted']);
    expect(nextStep(seen).do).toBe('look_up');
    expect(stages(withLook(seen, paused))).toEqual(['done']);
  });

  test('of an agreement that had been in that state before is refused, since nothing more will tell of it', () => {
    const paused = [aFact('suspended', { causedBy: 'debtor' }), aFact('suspended', { source: 'history' })];
    const told = withAction(active, asked('k', 'suspension'), NOW);
    const [action] = told.actions;
    const late =
      action === undefined ? told : { ...told, actions: [{ ...action, after: paused[1]?.publishedAt }] };
    const seen = withActionLook(late, 'k', fetchedAgreement('agr', 'suspended', paused.slice(0, 1)), REFUSAL);
    expect(stages(seen)).toEqual(['refused']);
  });
});

describe('a cancellation asked for while the agreement is still being made', () => {
  test('is over when the provider refuses to make it', () => {
    const refused = withRefusal(withAction(fresh, asked('k', 'cancellation'), NOW), NOW, { code: 'ZPUNP01' });
    expect(refused.actions).toMatchObject([{ stage: 'failed', failure: { code: 'agreement_final' } }]);
  });

  test('is over when nobody knows the agreement', () => {
    const adopting = newAgreement({ uid: 'agr', connectionId: 'acme' }, NOW);
    const given = withOrphanage(withAction(adopting, asked('k', 'cancellation'), NOW), NOW);
    expect(given.actions).toMatchObject([
      { stage: 'refused', endedAt: NOW, failure: { code: 'agreement_unknown' } },
    ]);
  });
});
