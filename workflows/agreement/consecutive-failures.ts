// Failures in a row: the scheme suspends an agreement at the seventh, so payments stop after the sixth until an operator says otherwise
// (docs/provider.md#agreements-states). Plain JSON and pure.
import { lower } from '../../domain/attention/flags.js';
import { MOST_STRIKES } from '../../domain/terms/rules.js';
import { raiseFlag } from '../entity/resource/state.js';
import { withOutcome } from './ledger.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import type { Flagged } from '../entity/resource/state.js';
import type { Ledger } from './ledger.js';

export interface Strikes {
  /** Attempts that have failed since one settled. */
  count: number;
  /** At this count an operator has let payments go on. */
  acceptedAt?: number | undefined;
}

interface Struck {
  strikes?: Strikes | undefined;
}

/** As many as stop payments: none where an operator has let them go on. */
export const strikesOf = ({ strikes }: Struck): number =>
  strikes === undefined || strikes.acceptedAt === strikes.count ? 0 : strikes.count;

/** A payment has reported what became of it. */
export function withReport<State extends Ledger & Struck & Flagged>(
  before: State,
  report: PaymentReport,
  now: Instant,
): State {
  const { state, newFailures } = withOutcome(before, report);
  // That it is refunded says nothing of those that failed since it settled.
  const wasSettled = before.ledger.some(({ uid, outcome }) => uid === report.uid && outcome === 'settled');
  if (report.outcome === 'settled' && wasSettled) return state;
  if (report.outcome === 'settled')
    return { ...state, strikes: undefined, attention: lower(state.attention, 'strikes') };
  if (newFailures === 0) return state;
  const count = (state.strikes?.count ?? 0) + newFailures;
  const struck = { ...state, strikes: { ...state.strikes, count } };
  if (count < MOST_STRIKES) return struck;
  return raiseFlag(struck, 'strikes', now, {
    detail: `Payments have failed ${count} times in a row, so no more are taken: the scheme suspends an agreement after one more.`,
    next: 'Find out with the payer why they fail. Then resolve this flag: payments are admitted until the next one fails.',
  });
}

/** An operator lets payments go on. */
export const withStrikesAccepted = <State extends Struck>(state: State): State =>
  state.strikes === undefined
    ? state
    : { ...state, strikes: { ...state.strikes, acceptedAt: state.strikes.count } };
