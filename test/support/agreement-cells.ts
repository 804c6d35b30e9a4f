import type { ActionKind, ActionRefusalCode } from '../../domain/agreement/action.js';
import type { ShownState } from '../simulator/provider-interface.js';

export const STATES = [
  'pending',
  'created',
  'active',
  'suspended',
  'declined',
  'expired',
  'cancelled',
  'failed',
] as const satisfies readonly ShownState[];

export const KINDS = [
  'suspension',
  'reactivation',
  'cancellation',
  'amendment',
  'amendment_recall',
] as const satisfies readonly ActionKind[];

export type Verdict = ShownState | 'still' | 'needs look-up' | 'conflict' | 'unknown';

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

export const EVENT_CELLS: Readonly<Record<string, ReadonlyMap<ShownState, Verdict>>> = {
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

export const SNAPSHOT_CELLS: Readonly<Record<ShownState, ReadonlyMap<ShownState, Verdict>>> = {
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

export const COMMAND_CELLS: Readonly<Record<ActionKind, ReadonlyMap<ShownState, Cell>>> = {
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

export interface Standing {
  state: ShownState;
  isPausedByPayer: boolean;
  open: readonly ActionKind[];
}

export function expectedAnswer({ state, isPausedByPayer, open }: Standing, kind: ActionKind): Cell {
  const cell = COMMAND_CELLS[kind].get(state);
  if (cell === undefined) throw new Error(`expected a row for ${kind} in ${state}; found none`);
  if (cell === f || cell === o) return cell;
  if (kind === 'reactivation' && isPausedByPayer) return 'suspended_by_payer';
  if (open.some((other) => LANES[other] === LANES[kind])) return 'action_pending';
  if (kind === 'amendment_recall') return open.includes('amendment') ? 'taken' : 'no_amendment';
  return cell;
}
