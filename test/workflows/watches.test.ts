// The table of who watches what is pending, against what the workflow does.
import { describe, expect, test } from 'vitest';
import { DEADLINES } from '../../domain/deadline.js';
import { WATCHES } from '../../domain/watch.js';
import { withAccepted, withAction } from '../../workflows/agreement/commands.js';
import { withDeadline } from '../../workflows/agreement/deadlines.js';
import { newAgreement, withFact, withLook } from '../../workflows/agreement/state.js';
import { nextStep } from '../../workflows/agreement/next.js';
import { aFact } from '../domain/facts.js';
import { A_MANDATE, fetchedAgreement } from './provider.js';
import type { Ask } from '../../domain/action.js';
import type { DeadlineName } from '../../domain/deadline.js';
import type { PendingKind } from '../../domain/watch.js';
import type { State } from '../../workflows/agreement/state.js';

const NOW = '2026-11-01T00:00:00.000Z';
/** Within the five days from NOW. */
const REQUESTED = '2026-11-03T00:00:00.000Z';
const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed' };

const asked = newAgreement(
  {
    uid: 'agr',
    connectionId: 'acme',
    mandate: { ...A_MANDATE, resolution_requested_before: REQUESTED },
  },
  NOW,
);
const created = withLook(asked, { ...fetchedAgreement('agr', 'created'), fetchedAt: NOW });
const active = withFact(created, aFact('activated'));
const suspended = withFact(active, aFact('suspended', { causedBy: 'initiator' }));

const taken = (record: State, ask: Ask): State =>
  withAccepted(withAction(record, { key: ask.kind, ask }, NOW), ask.kind, NOW);
const amended = taken(active, {
  kind: 'amendment',
  body: { changes: { description: 'New' }, resolution_requested_before: REQUESTED },
});

const PENDING: Record<PendingKind, State> = {
  creation: created,
  suspension: taken(active, { kind: 'suspension', body: WHY }),
  reactivation: taken(suspended, { kind: 'reactivation', body: {} }),
  cancellation: taken(active, { kind: 'cancellation', body: WHY }),
  amendment: amended,
  amendment_recall: taken(active, { kind: 'amendment_recall', body: {} }),
};

/** The deadlines that a wait meets one after the other. */
function metBy(record: State): DeadlineName[] {
  const step = nextStep(record);
  if (!('until' in step) || step.until === undefined) return [];
  const { until } = step;
  const passed = withDeadline(record, until, NOW);
  return [until.name, ...metBy({ ...passed, lookAsked: false })];
}

const ladderOf = (record: State): unknown => Reflect.get(nextStep(record), 'ladder');

const isPending = (kind: string): kind is PendingKind => Object.hasOwn(PENDING, kind);
describe.each(Object.keys(WATCHES).filter(isPending))('%s', (kind) => {
  const record = PENDING[kind];
  const { ladder, late, deadlines } = WATCHES[kind];

  test('is asked after as the table says, and more often once somebody is late', () => {
    expect(ladderOf(record)).toBe(ladder);
    expect(ladderOf({ ...record, overdue: true })).toBe(late ?? ladder);
  });

  test('meets the deadlines of the table, and no others', () => {
    expect(metBy(record).sort()).toEqual([...deadlines].sort());
  });
});

describe.each(Object.entries(DEADLINES))('the deadline %s', (name, { late }) => {
  const isLate = late !== undefined;
  const known = Object.keys(DEADLINES).find((one): one is DeadlineName => one === name);
  if (known === undefined) throw new Error('expected a deadline');
  const passed = withDeadline(created, { name: known, at: REQUESTED }, NOW);

  test('has the provider asked, and raises `overdue` only where somebody is late', () => {
    expect(passed.overdue).toBe(isLate);
    expect(passed.attention.map(({ code }) => code)).toEqual(isLate ? ['overdue'] : []);
    expect(isLate ? ladderOf(passed) : nextStep(passed).do).toBe(isLate ? 'overdue' : 'look_up');
  });
});
