import { describe, expect, test } from 'vitest';
import { isNews } from '../../../activities/agreement/poll.js';
import { isDropped } from '../../../domain/facts/dropped-hashes.js';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import { DEADLINES, type DeadlineName } from '../../../domain/agreement/deadline.js';
import { REMINDERS } from '../../../domain/agreement/reminder.js';
import { WATCHES, type PendingKind } from '../../../domain/agreement/watches.js';
import { passDeadline } from '../../../workflows/agreement/deadlines.js';
import { desiredSteps } from '../../../workflows/agreement/desired-steps.js';
import { newAgreement, applyFact, type AgreementState } from '../../../workflows/agreement/state.js';
import { compact } from '../../../workflows/resource/compact.js';
import { aFact } from '../../support/facts.js';
import { NOW, active, next, shown, some, taken, received } from '../../support/workflows/agreement-states.js';
import { A_MANDATE, fetchedAgreement } from '../../support/workflows/provider.js';
import type { ActionRequest, ActionCommand } from '../../../domain/agreement/action.js';
import type { Fact } from '../../../domain/facts/fact.js';

const REQUESTED = '2026-11-03T00:00:00.000Z';
const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed' } as const;
const SUSPENSION: ActionRequest = { key: 'k', command: { kind: 'suspension', body: WHY } };

describe('watch table', () => {
  const limited = newAgreement(
    { uid: 'agr', connectionId: 'acme', mandate: { ...A_MANDATE, resolution_requested_before: REQUESTED } },
    NOW,
  );
  const pending = shown(limited, { ...fetchedAgreement('agr', 'created'), fetchedAt: NOW });
  const open = applyFact(pending, aFact('activated'));
  const suspended = applyFact(open, aFact('suspended', { causedBy: 'initiator' }));
  const takenOf = (state: AgreementState, command: ActionCommand): AgreementState =>
    taken(state, { key: command.kind, command });
  const PENDING: Record<PendingKind, AgreementState> = {
    creation: pending,
    suspension: takenOf(open, { kind: 'suspension', body: WHY }),
    reactivation: takenOf(suspended, { kind: 'reactivation', body: {} }),
    cancellation: takenOf(open, { kind: 'cancellation', body: WHY }),
    amendment: takenOf(open, {
      kind: 'amendment',
      body: { changes: { description: 'New' }, resolution_requested_before: REQUESTED },
    }),
    amendment_recall: takenOf(open, { kind: 'amendment_recall', body: {} }),
    identification: takenOf(open, { kind: 'identification', body: { initiator: { client_id: 'client-1' } } }),
  };

  function metBy(state: AgreementState): DeadlineName[] {
    const noted = { ...state, reminded: REMINDERS.length };
    const step = desiredSteps(noted).find((wanted) => wanted.do === 'await_deadline');
    if (step === undefined) return [];
    return [step.until.name, ...metBy({ ...passDeadline(state, step.until, NOW), isLookUpDue: false })];
  }
  const ladderOf = (state: AgreementState): unknown => Reflect.get(next(state) ?? {}, 'pollIntervals');
  const isPending = (kind: string): kind is PendingKind => Object.hasOwn(PENDING, kind);
  const isDeadline = (name: string): name is DeadlineName => Object.hasOwn(DEADLINES, name);

  describe.each(Object.keys(WATCHES).filter(isPending))('%s', (kind) => {
    const state = PENDING[kind];
    const { pollIntervals, late, deadlines } = WATCHES[kind];

    test('uses the poll intervals of the table and shorter ones when overdue', () => {
      expect(ladderOf(state)).toBe(pollIntervals);
      expect(ladderOf({ ...state, overdue: true })).toBe(late ?? pollIntervals);
    });

    test('has exactly the deadlines of the table', () => {
      expect(metBy(state).sort()).toEqual([...deadlines].sort());
    });
  });

  test.each(Object.keys(DEADLINES).filter(isDeadline))(
    'deadline %s causes a look-up, and raises `overdue` only for a late decision',
    (name) => {
      const isLate = DEADLINES[name].late !== undefined;
      const passed = passDeadline(pending, { name, at: REQUESTED }, NOW);
      expect(passed.overdue).toBe(isLate);
      expect(passed.attention.map(({ code }) => code)).toEqual(isLate ? ['overdue'] : []);
      expect(next(passed)?.do).toBe('look_up');
      expect(ladderOf({ ...passed, isLookUpDue: false })).toBe(isLate ? 'overdue' : 'payer_decision');
    },
  );
});

describe('news for a pending command', () => {
  const pauses = (count: number): Fact[] =>
    Array.from({ length: count }, () => [
      aFact('suspended', { causedBy: 'debtor' }),
      aFact('reactivated', { causedBy: 'debtor' }),
    ]).flat();
  const before = pauses(120);
  const restless = received(active, before);
  const pausing = (state: AgreementState): AgreementState => taken(state, SUSPENSION);
  const watchOf = (state: AgreementState) => {
    const step = next(state);
    if (step?.do !== 'await_outcome' && step?.do !== 'await_amendment')
      throw new Error("expected a wait for an outcome; found ${step?.do ?? 'no step'}");
    return step;
  };

  function isNewsIn(state: AgreementState, history: readonly Fact[]): boolean {
    const watched = watchOf(state);
    return isNews(fetchedAgreement('agr', watched.snapshotState, [...history]), watched);
  }

  test('ignores events published before the command', () => {
    expect(isNewsIn(pausing(restless), before)).toBe(false);
  });

  test('ignores earlier events that have been dropped', () => {
    const carried = compact(AGREEMENT_LIFECYCLE, restless);
    expect(carried.droppedHashes).not.toHaveLength(0);
    expect(isNewsIn(pausing(carried), before)).toBe(false);
  });

  test('ignores events of the same instant, also if history rounds their times to seconds', () => {
    const at = (id: string, type: string, ms: string): Fact =>
      aFact(type, { id, publishedAt: `2026-12-01T10:00:00.${ms}Z`, causedBy: 'debtor' });
    const facts = [
      at('p1', 'suspended', '100'),
      at('p2', 'reactivated', '100'),
      at('p3', 'suspended', '200'),
      at('p4', 'reactivated', '200'),
    ];
    const waiting = pausing(received(restless, facts));
    expect(isNewsIn(waiting, facts)).toBe(false);
    const toTheSecond = facts.map((fact) => ({ ...fact, publishedAt: '2026-12-01T10:00:00.000Z' }));
    expect(isNewsIn(waiting, toTheSecond)).toBe(false);
    expect(shown(waiting, fetchedAgreement('agr', 'active', toTheSecond)).actions).toMatchObject([
      { stage: 'accepted' },
    ]);
  });

  test.each([100, 500])('ignores %i failures that were dropped while the command was pending', (count) => {
    const failures = some(count * 2, 'amended', { causedBy: 'debtor' });
    const amending = taken(restless, { key: 'k', command: { kind: 'amendment', body: { changes: {} } } });
    const checked = failures.map((fact) => ({ ...fact, isChecked: true as const }));
    const carried = compact(AGREEMENT_LIFECYCLE, received(amending, checked));
    expect(carried.facts.some(({ id }) => id === 'command/k')).toBe(false);
    expect(isNewsIn(carried, [...before, ...failures])).toBe(false);
    expect(isNewsIn(carried, [aFact('amendment_declined')])).toBe(true);
  });

  test('ignores a dropped event if our clock runs ahead of the provider', () => {
    const ours = aFact('unanswered', { source: 'command', publishedAt: '2027-01-01T00:00:00.000Z' });
    const answered = aFact('amended', { causedBy: 'debtor', isChecked: true });
    const amendment = { key: 'k', command: { kind: 'amendment', body: { changes: {} } } } as const;
    const waiting = received(taken(applyFact(active, ours), amendment), [answered, ...pauses(120)]);
    const carried = compact(AGREEMENT_LIFECYCLE, waiting);
    expect(isDropped(carried.droppedHashes, answered.id)).toBe(true);
    expect(isNewsIn(carried, [answered])).toBe(false);
  });

  test('detects an event published after the command, also if its time is rounded to seconds', () => {
    const outcome = aFact('suspended', { causedBy: 'initiator' });
    expect(isNewsIn(pausing(restless), [outcome])).toBe(true);
    const precise = aFact('activated', { publishedAt: '2026-12-01T10:00:00.200Z', isChecked: true });
    const waiting = pausing(received(restless, [precise]));
    const later = { ...outcome, publishedAt: '2026-12-01T10:00:00.000Z' };
    expect(isNewsIn(waiting, [later])).toBe(true);
  });
});
