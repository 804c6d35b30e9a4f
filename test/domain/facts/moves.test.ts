import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_EVENTS } from '../../../domain/agreement/events.js';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import { fold } from '../../../domain/facts/fold.js';
import { validateRequest } from '../../../workflows/agreement/commands.js';
import {
  newAgreement,
  type AgreementState as AgreementWorkflowState,
} from '../../../workflows/agreement/state.js';
import { aFact } from '../../support/facts.js';
import { asking } from '../../simulator/terms.js';
import type { Action, ActionKind, ActionStage, ActionRefusalCode } from '../../../domain/agreement/action.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { ShownState } from '../../simulator/provider-interface.js';

const NOW = '2026-11-01T00:00:00.000Z';

function verdictOf(state: ShownState, fact: Fact): string {
  const folded = fold(AGREEMENT_LIFECYCLE, state, [fact]);
  if (folded.conflicts.length > 0) return 'conflict';
  if (folded.needingLookUp.length > 0) return 'needs look-up';
  if (folded.unknown.length > 0) return 'unknown';
  if (folded.unconfirmed.length > 0) return 'unconfirmed';
  return folded.state === state ? 'still' : folded.state;
}

const cellsOf = (
  table: Readonly<Record<string, ReadonlyMap<ShownState, string>>>,
): [string, ShownState, string][] =>
  Object.entries(table).flatMap(([name, row]) =>
    [...row].map(([state, verdict]): [string, ShownState, string] => [name, state, verdict]),
  );

describe('agreement event', () => {
  const cells = cellsOf(EVENT_CELLS);

  test('every known type has a row and every state a column', () => {
    expect(Object.keys(EVENT_CELLS)).toEqual(expect.arrayContaining(Object.keys(AGREEMENT_EVENTS)));
    expect(cells).toHaveLength(Object.keys(EVENT_CELLS).length * STATES.length);
  });

  test.each(cells)('%s in state %s: %s', (type, state, verdict) => {
    expect(verdictOf(state, aFact(type))).toBe(verdict);
  });

  test.each(cells)('%s in state %s is unconfirmed if not authenticated', (type, state) => {
    expect(verdictOf(state, aFact(type, { authenticated: false }))).toBe('unconfirmed');
  });
});

describe('agreement look-up', () => {
  const cells = STATES.flatMap((state) =>
    [...SNAPSHOT_CELLS[state]].map(([shown, verdict]) => [state, shown, verdict] as const),
  );

  test.each(cells)('in state %s that shows %s: %s', (state, shown, verdict) => {
    expect(verdictOf(state, aFact('observed', { source: 'lookup', state: shown }))).toBe(verdict);
  });

  test.each(STATES)('in state %s that shows an unknown state is kept and moves nothing', (state) => {
    expect(verdictOf(state, aFact('observed', { source: 'lookup', state: 'hibernating' }))).toBe('unknown');
  });
});

describe('agreement command', () => {
  const anAction = (kind: ActionKind, stage: ActionStage): Action => ({
    key: `open-${kind}`,
    command: asking(kind, 1),
    requestedAt: NOW,
    after: undefined,
    priorIds: [],
    stage,
  });
  const stateWith = (state: ShownState, facts: Fact[], actions: Action[]): AgreementWorkflowState => ({
    ...newAgreement({ uid: 'agr', connectionId: 'acme', mandate: {} }, NOW),
    start: state,
    facts,
    actions,
  });
  const answerOf = (known: AgreementWorkflowState, kind: ActionKind): string => {
    try {
      validateRequest(known, { key: 'new', command: asking(kind, 2) });
      return 'taken';
    } catch (error) {
      return error instanceof ApplicationFailure ? String(error.type) : 'thrown';
    }
  };
  const cells = STATES.flatMap((state) => KINDS.map((kind) => [kind, state] as const));

  test.each(cells)('%s in state %s gets the expected answer', (kind, state) => {
    const expected = expectedAnswer({ state, isPausedByPayer: false, open: [] }, kind);
    expect(answerOf(stateWith(state, [], []), kind)).toBe(expected);
  });

  test.each(KINDS)('%s after a pause by the payer gets the expected answer', (kind) => {
    const paused = stateWith('active', [aFact('suspended', { causedBy: 'debtor' })], []);
    const expected = expectedAnswer({ state: 'suspended', isPausedByPayer: true, open: [] }, kind);
    expect(answerOf(paused, kind)).toBe(expected);
  });

  const rivals = (['active', 'suspended'] as const).flatMap((state) =>
    KINDS.flatMap((kind) =>
      KINDS.flatMap((open) =>
        (['asked', 'accepted'] as const).map((stage) => [kind, state, open, stage] as const),
      ),
    ),
  );

  test.each(rivals)(
    '%s in state %s with an open %s (%s) gets the expected answer',
    (kind, state, open, stage) => {
      const expected = expectedAnswer({ state, isPausedByPayer: false, open: [open] }, kind);
      expect(answerOf(stateWith(state, [], [anAction(open, stage)]), kind)).toBe(expected);
    },
  );

  test.each(KINDS)('an ended %s does not block another command', (kind) => {
    const ended = (['done', 'failed', 'refused'] as const).map((stage) => anAction(kind, stage));
    const expected = expectedAnswer({ state: 'active', isPausedByPayer: false, open: [] }, 'suspension');
    expect(answerOf(stateWith('active', [], ended), 'suspension')).toBe(expected);
  });
});

const STATES = [
  'pending',
  'created',
  'active',
  'suspended',
  'declined',
  'expired',
  'cancelled',
  'failed',
] as const satisfies readonly ShownState[];

const KINDS = [
  'suspension',
  'reactivation',
  'cancellation',
  'amendment',
  'amendment_recall',
] as const satisfies readonly ActionKind[];

type Verdict = ShownState | 'still' | 'needs look-up' | 'conflict' | 'unknown';

const row = <Key extends string, Cell>(
  keys: readonly Key[],
  cells: readonly Cell[],
): ReadonlyMap<Key, Cell> =>
  new Map(
    keys.flatMap((key, index) => {
      const cell = cells[index];
      return cell === undefined ? [] : [[key, cell] as const];
    }),
  );

const ALL_STILL: readonly Verdict[] = STATES.map(() => 'still');
const c = 'conflict';

const EVENT_CELLS: Readonly<Record<string, ReadonlyMap<ShownState, Verdict>>> = {
  activated: row(STATES, ['active', 'active', c, c, c, c, c, c]),
  declined: row(STATES, ['declined', 'declined', c, c, c, c, c, c]),
  expired: row(STATES, ['expired', 'expired', c, c, c, c, c, c]),
  failed: row(STATES, ['failed', 'failed', c, c, c, c, c, c]),
  cancelled: row(STATES, ['cancelled', 'cancelled', 'cancelled', 'cancelled', c, c, c, c]),
  suspended: row(STATES, [c, c, 'suspended', c, c, c, c, c]),
  reactivated: row(STATES, [c, c, c, 'active', c, c, c, c]),
  amended: row(
    STATES,
    STATES.map(() => 'needs look-up'),
  ),
  amendment_declined: row(STATES, ALL_STILL),
  amendment_expired: row(STATES, ALL_STILL),
  amendment_recalled: row(STATES, ALL_STILL),
  amendment_failed: row(STATES, ALL_STILL),
  amendment_recall_failed: row(STATES, ALL_STILL),
  cancellation_failed: row(STATES, ALL_STILL),
  suspension_failed: row(STATES, ALL_STILL),
  reactivation_failed: row(STATES, ALL_STILL),
  unknown_event: row(
    STATES,
    STATES.map(() => 'unknown'),
  ),
};

const SNAPSHOT_CELLS: Readonly<Record<ShownState, ReadonlyMap<ShownState, Verdict>>> = {
  pending: row(STATES, [
    'still',
    'created',
    'active',
    'suspended',
    'declined',
    'expired',
    'cancelled',
    'failed',
  ]),
  created: row(STATES, [
    'still',
    'still',
    'active',
    'suspended',
    'declined',
    'expired',
    'cancelled',
    'failed',
  ]),
  active: row(STATES, ['still', 'still', 'still', 'suspended', 'declined', 'expired', 'cancelled', 'failed']),
  suspended: row(STATES, ['still', 'still', 'active', 'still', 'declined', 'expired', 'cancelled', 'failed']),
  declined: row(STATES, ['still', 'still', 'still', 'still', 'still', c, c, c]),
  expired: row(STATES, ['still', 'still', 'still', 'still', c, 'still', c, c]),
  cancelled: row(STATES, ['still', 'still', 'still', 'still', c, c, 'still', c]),
  failed: row(STATES, ['still', 'still', 'still', 'still', c, c, c, 'still']),
};

const f = 'agreement_state_forbids';
const o = 'agreement_final';
type Cell = ActionRefusalCode | 'taken';

const COMMAND_CELLS: Readonly<Record<ActionKind, ReadonlyMap<ShownState, Cell>>> = {
  suspension: row(STATES, [f, f, 'taken', f, o, o, o, o]),
  reactivation: row(STATES, [f, f, f, 'taken', o, o, o, o]),
  cancellation: row(STATES, ['taken', 'taken', 'taken', 'taken', o, o, o, o]),
  amendment: row(STATES, [f, f, 'taken', 'taken', o, o, o, o]),
  amendment_recall: row(STATES, [f, f, 'no_amendment', 'no_amendment', o, o, o, o]),
  identification: row(STATES, ['taken', 'taken', 'taken', 'taken', o, o, o, o]),
};

const LANES: Readonly<Record<ActionKind, string>> = {
  suspension: 'standing',
  reactivation: 'standing',
  cancellation: 'standing',
  amendment: 'amendment',
  amendment_recall: 'recall',
  identification: 'identification',
};

interface Standing {
  state: ShownState;
  isPausedByPayer: boolean;
  open: readonly ActionKind[];
}

function expectedAnswer({ state, isPausedByPayer, open }: Standing, kind: ActionKind): Cell {
  const cell = COMMAND_CELLS[kind].get(state);
  if (cell === undefined) throw new Error(`expected a row for ${kind} in ${state}; found none`);
  if (cell === f || cell === o) return cell;
  if (kind === 'reactivation' && isPausedByPayer) return 'suspended_by_payer';
  if (open.some((other) => LANES[other] === LANES[kind])) return 'action_pending';
  if (kind === 'amendment_recall') return open.includes('amendment') ? 'taken' : 'no_amendment';
  return cell;
}
