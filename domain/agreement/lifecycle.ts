// The life of one PayTo agreement: which states exist and what moves it between them (docs/provider.md#agreements-states, #events).
// Pure: no clock, no I/O, no Temporal. The workflow owns time; this file owns meaning.
import { AGREEMENT_EVENTS } from './events.js';
import { isFinalIn } from '../facts/fold.js';
import { LOCAL_FACTS } from '../facts/local.js';
import type { AgreementEvent } from './events.js';
import type { AgreementLifecycleState } from './events.js';
import type { Fact } from '../facts/fact.js';
import type { Lifecycle } from '../facts/fold.js';

export type { AgreementLifecycleState } from './events.js';

/** The provider gives the payer five days to decide (docs/provider.md#limits); we ask then, and never decide ourselves. */
export const PAYER_DECISION_MS = 5 * 24 * 60 * 60 * 1000;

const NO_MOVES: Readonly<
  Record<AgreementLifecycleState, Readonly<Partial<Record<string, AgreementLifecycleState>>>>
> = {
  pending: {},
  created: {},
  active: {},
  suspended: {},
  declined: {},
  expired: {},
  cancelled: {},
  failed: {},
};

/** Those that stand in the timeline and move nothing; what a snapshot showed is folded by itself. */
const STILL_LOCAL_FACTS = Object.entries(LOCAL_FACTS).flatMap(([type, { source }]) =>
  source === 'command' ? [type] : [],
);

const EVENTS: readonly (readonly [string, AgreementEvent])[] = Object.entries(AGREEMENT_EVENTS);

export const AGREEMENT_LIFECYCLE: Lifecycle<AgreementLifecycleState> = {
  moves: EVENTS.reduce(addMoves, NO_MOVES),
  needsLookUp: new Set(EVENTS.filter(([, { needsLookUp }]) => needsLookUp).map(([type]) => type)),
  still: new Set([
    ...EVENTS.filter(([, { moves, needsLookUp }]) => moves === undefined && !needsLookUp).map(
      ([type]) => type,
    ),
    ...STILL_LOCAL_FACTS,
  ]),
  rank: { pending: 0, created: 1, active: 2, suspended: 2, declined: 3, expired: 3, cancelled: 3, failed: 3 },
  finalRank: 3,
};

function addMoves(
  table: typeof NO_MOVES,
  [type, { moves }]: readonly [string, AgreementEvent],
): typeof NO_MOVES {
  if (moves === undefined) return table;
  const rows = moves.from.map((state) => [state, { ...table[state], [type]: moves.to }] as const);
  return { ...table, ...Object.fromEntries(rows) };
}

export const isFinal = (state: AgreementLifecycleState): boolean => isFinalIn(AGREEMENT_LIFECYCLE, state);

/** Whether the payer, or someone in their place, has answered. */
export const isAnswered = (state: AgreementLifecycleState): boolean =>
  state !== 'pending' && state !== 'created';

/** Facts of these types take authority away: where they did not move the state, they hold payments back until a look-up. */
const REDUCING: ReadonlySet<string> = new Set(['suspended', 'cancelled', 'expired', 'declined', 'failed']);

/**
 * Whether something says that the payer's authority has gone, and it is not settled yet whether it has (docs/architecture.md#facts-and-state).
 * @param open the facts that did not move the state and that no look-up has explained.
 */
export const isAuthorityInDoubt = (open: readonly Fact[]): boolean =>
  open.some(({ type }) => REDUCING.has(type));
