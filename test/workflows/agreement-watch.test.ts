// What a watch for an outcome is told to know: nothing that is known may look like news, or the provider is asked without pause.
import { describe, expect, test } from 'vitest';
import { isNews } from '../../activities/watch-agreement.js';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { withAccepted, withAction } from '../../workflows/agreement/commands.js';
import { newAgreement, withFact, withLook } from '../../workflows/agreement/state.js';
import { nextStep } from '../../workflows/agreement/next.js';
import { compact } from '../../workflows/entity/state.js';
import { aFact } from '../domain/facts.js';
import { A_MANDATE, fetchedAgreement } from './provider.js';
import type { Fact } from '../../domain/fact.js';
import type { State } from '../../workflows/agreement/state.js';
import type { Rule } from '../../workflows/entity/rules.js';

const NOW = '2026-11-01T00:00:00.000Z';
const SUSPEND = {
  kind: 'suspension',
  body: { reason: 'customer_requested', narrative: 'As asked' },
} as const;
const fresh = newAgreement({ uid: 'agr', connectionId: 'acme', mandate: A_MANDATE }, NOW);
const made = withLook(fresh, { ...fetchedAgreement('agr', 'created'), fetchedAt: NOW });
const active = withFact(made, aFact('activated'));

const pauses = (count: number): Fact[] =>
  Array.from({ length: count }, () => [
    aFact('suspended', { causedBy: 'debtor' }),
    aFact('reactivated', { causedBy: 'debtor' }),
  ]).flat();
const told = (record: State, facts: readonly Fact[]): State =>
  facts.reduce((known, fact) => withFact(known, fact), record);
/** The pause is asked for and taken, and nothing answers it. */
const pausing = (record: State): State =>
  withAccepted(withAction(record, { key: 'k', ask: SUSPEND }, NOW), 'k', NOW);
const watchOf = (record: State, broken?: Rule) => {
  const step = nextStep(record, (rule) => rule !== broken);
  if (step.do !== 'await_outcome') throw new Error(`expected a wait for an outcome; met ${step.do}`);
  return step;
};

/** Whether the watch holds any of these for an outcome, where the state is as it was. */
function isNewsIn(record: State, history: readonly Fact[]): boolean {
  const { known: shown, types, seen, after } = watchOf(record);
  const args = {
    uid: 'agr',
    connectionId: 'acme',
    ladder: 'action',
    shown,
    answers: { types, seen, after },
  } as const;
  return isNews(fetchedAgreement('agr', shown, [...history]), args);
}

describe('the watch of a pause', () => {
  const before = pauses(120);
  const restless = told(active, before);

  test('holds no pause from before it for news', () => {
    expect(isNewsIn(pausing(restless), before)).toBe(false);
  });

  test('nor one that is no longer kept in full', () => {
    const carried = compact(AGREEMENT_LIFE, restless);
    expect(carried.olderCount).toBeGreaterThan(0);
    expect(isNewsIn(pausing(carried), before)).toBe(false);
  });

  test('nor one from the very instant of the newest, or that its history shows to the second', () => {
    const at = (id: string, type: string, ms: string): Fact =>
      aFact(type, { id, publishedAt: `2026-12-01T10:00:00.${ms}Z`, causedBy: 'debtor' });
    const facts = [
      at('p1', 'suspended', '100'), at('p2', 'reactivated', '100'), at('p3', 'suspended', '200'), at('p4', 'reactivated', '200'),
    ]; // prettier-ignore
    const asked = pausing(told(restless, facts));
    expect(isNewsIn(asked, facts)).toBe(false);
    const toTheSecond = facts.map((fact) => ({ ...fact, publishedAt: '2026-12-01T10:00:00.000Z' }));
    expect(isNewsIn(asked, toTheSecond)).toBe(false);
    expect(withLook(asked, fetchedAgreement('agr', 'active', toTheSecond)).actions).toMatchObject([
      { stage: 'accepted' },
    ]);
  });

  test.each([100, 500])('nor any of the %i that fail while it is awaited, and are forgotten', (count) => {
    const failures = Array.from({ length: count * 2 }, () => aFact('amended', { causedBy: 'debtor' }));
    const amending = withAccepted(
      withAction(restless, { key: 'k', ask: { kind: 'amendment', body: { changes: {} } } }, NOW),
      'k',
      NOW,
    );
    const grown = told(amending, failures);
    const looked = { ...grown, examined: failures.map(({ id }) => id) };
    const carried = compact(AGREEMENT_LIFE, looked);
    expect(carried.facts.some(({ id }) => id === 'command/k')).toBe(false);
    expect(isNewsIn(carried, [...before, ...failures])).toBe(false);
    expect(isNewsIn(carried, [aFact('amendment_declined')])).toBe(true);
  });

  test('holds one for news that comes after it was asked for, be it shown to the second', () => {
    const outcome = aFact('suspended', { causedBy: 'initiator' });
    expect(isNewsIn(pausing(restless), [outcome])).toBe(true);
    const precise = aFact('activated', { publishedAt: '2026-12-01T10:00:00.200Z' });
    const asked = pausing(told(restless, [precise]));
    const shown = { ...outcome, publishedAt: '2026-12-01T10:00:00.000Z' };
    expect(isNewsIn({ ...asked, examined: [precise.id] }, [shown])).toBe(true);
  });

  test('names few, however many went before', () => {
    expect(watchOf(pausing(compact(AGREEMENT_LIFE, restless))).seen).toEqual([]);
  });

  test('names all of them in a run that began before that rule', () => {
    const ids = before.filter(({ type }) => type === 'suspended').map(({ id }) => id);
    const { after, seen } = watchOf(pausing(restless), 'answers-since-asked');
    expect({ after, seen }).toEqual({ after: undefined, seen: ids });
  });
});
