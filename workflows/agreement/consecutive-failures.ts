// Failures in a row: the scheme suspends an agreement at the seventh, so payments stop after the sixth until an operator says otherwise
// (docs/provider.md#agreements-states). Plain JSON and pure.
import { lower } from '../../domain/attention/flags.js';
import { MAX_CONSECUTIVE_FAILURES } from '../../domain/terms/rules.js';
import { raiseFlag } from '../entity/resource/state.js';
import { recordOutcome } from './ledger.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import type { Flagged } from '../entity/resource/state.js';
import type { Ledger } from './ledger.js';

export interface ConsecutiveFailures {
  /** Attempts that have failed since one settled. */
  count: number;
  /** At this count an operator has let payments go on. */
  acceptedAt?: number | undefined;
}

interface FailureCount {
  consecutiveFailures?: ConsecutiveFailures | undefined;
}

/** As many as stop payments: none where an operator has let them go on. */
export const consecutiveFailuresOf = ({ consecutiveFailures }: FailureCount): number =>
  consecutiveFailures === undefined || consecutiveFailures.acceptedAt === consecutiveFailures.count
    ? 0
    : consecutiveFailures.count;

/** A payment has reported what became of it. */
export function recordPaymentReport<State extends Ledger & FailureCount & Flagged>(
  before: State,
  report: PaymentReport,
  now: Instant,
): State {
  const { state, newFailures } = recordOutcome(before, report);
  // That it is refunded says nothing of those that failed since it settled.
  const wasSettled = before.ledger.some(({ uid, outcome }) => uid === report.uid && outcome === 'settled');
  if (report.outcome === 'settled' && wasSettled) return state;
  if (report.outcome === 'settled')
    return { ...state, consecutiveFailures: undefined, attention: lower(state.attention, 'strikes') };
  if (newFailures === 0) return state;
  const count = (state.consecutiveFailures?.count ?? 0) + newFailures;
  const counted = { ...state, consecutiveFailures: { ...state.consecutiveFailures, count } };
  if (count < MAX_CONSECUTIVE_FAILURES) return counted;
  return raiseFlag(counted, 'strikes', now, {
    detail: `Payments have failed ${count} times in a row, so no more are taken: the scheme suspends an agreement after one more.`,
    next: 'Find out with the payer why they fail. Then resolve this flag: payments are admitted until the next one fails.',
  });
}

/** An operator lets payments go on. */
export const acceptConsecutiveFailures = <State extends FailureCount>(state: State): State =>
  state.consecutiveFailures === undefined
    ? state
    : {
        ...state,
        consecutiveFailures: { ...state.consecutiveFailures, acceptedAt: state.consecutiveFailures.count },
      };
