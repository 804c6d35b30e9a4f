// Consecutive failures. The scheme suspends an agreement at the seventh, so we stop payments after the sixth until an operator allows more
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
  /** Failed attempts since the last settled payment. */
  count: number;
  /** The count at which an operator allowed payments to continue. */
  acceptedAt?: number | undefined;
}

interface FailureCount {
  consecutiveFailures?: ConsecutiveFailures | undefined;
}

/** The number of failures that counts against new payments. 0 if an operator has accepted the current count. */
export const consecutiveFailuresOf = ({ consecutiveFailures }: FailureCount): number =>
  consecutiveFailures === undefined || consecutiveFailures.acceptedAt === consecutiveFailures.count
    ? 0
    : consecutiveFailures.count;

/** Applies a payment's report to the ledger and to the failure count. */
export function recordPaymentReport<State extends Ledger & FailureCount & Flagged>(
  before: State,
  report: PaymentReport,
  now: Instant,
): State {
  const { state, newFailures } = recordOutcome(before, report);
  // A refund of a payment that had settled before says nothing about failures since then.
  const wasSettled = before.ledger.some(({ uid, outcome }) => uid === report.uid && outcome === 'settled');
  if (report.outcome === 'settled' && wasSettled) return state;
  if (report.outcome === 'settled')
    return { ...state, consecutiveFailures: undefined, attention: lower(state.attention, 'strikes') };
  if (newFailures === 0) return state;
  const count = (state.consecutiveFailures?.count ?? 0) + newFailures;
  const counted = { ...state, consecutiveFailures: { ...state.consecutiveFailures, count } };
  if (count < MAX_CONSECUTIVE_FAILURES) return counted;
  return raiseFlag(counted, 'strikes', now, {
    detail: `Payments have failed ${count} times in a row. We stopped them, because the scheme suspends an agreement after one more.`,
    next: 'Find out from the payer why they fail, then resolve this flag. Payments are then admitted until the next one fails.',
  });
}

/** An operator allows payments to continue. */
export const acceptConsecutiveFailures = <State extends FailureCount>(state: State): State =>
  state.consecutiveFailures === undefined
    ? state
    : {
        ...state,
        consecutiveFailures: { ...state.consecutiveFailures, acceptedAt: state.consecutiveFailures.count },
      };
