// The states of a PayTo agreement and the events that move it between them (docs/provider.md#agreements-states, #events). Pure.
import { AGREEMENT_EVENTS, type AgreementEvent, type AgreementLifecycleState } from './events.js';
import { isFinalIn, type Lifecycle } from '../facts/fold.js';
import { LOCAL_FACTS } from './local-facts.js';
import type { Fact } from '../facts/fact.js';
import type { ResourceSnapshot } from '../facts/snapshot.js';
import type { Compared } from '../sweep/comparison.js';
import type { Mandate } from './mandate.js';

export type { AgreementLifecycleState } from './events.js';

/** The payer has five days to decide (docs/provider.md#limits). We look the agreement up then, and decide nothing ourselves. */
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

/** Local facts that are in the timeline but move nothing. `observed` is not among them: the fold handles it separately. */
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

/** Whether the payer's decision is no longer pending. */
export const isAnswered = (state: AgreementLifecycleState): boolean =>
  state !== 'pending' && state !== 'created';

/** Facts of these types take authority away. If one did not move the state, it blocks payments until a look-up. */
const REDUCING: ReadonlySet<string> = new Set(['suspended', 'cancelled', 'expired', 'declined', 'failed']);

/**
 * Whether a fact reports that the payer's authority has ended or is suspended, and no look-up has settled it yet
 * (docs/architecture.md#facts-and-state).
 * @param open facts that did not move the state and that no look-up has explained.
 */
export const isAuthorityInDoubt = (open: readonly Fact[]): boolean =>
  open.some(({ type }) => REDUCING.has(type));

export interface AgreementSnapshot extends ResourceSnapshot {
  mmsAgreementId?: string | undefined;
  mandate: Mandate;
}

/** How a sweep compares agreements. */
export const AGREEMENTS: Compared = {
  live: ['pending', 'created', 'active', 'suspended'] satisfies AgreementLifecycleState[],
  over: ['declined', 'expired', 'cancelled', 'failed'] satisfies AgreementLifecycleState[],
  existing: ['created', 'active', 'suspended'] satisfies AgreementLifecycleState[],
  differs: (here, there) => here !== there,
};
