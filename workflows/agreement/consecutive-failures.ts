// Consecutive failures. The scheme suspends an agreement at the seventh, so we stop payments after the sixth until an operator allows more
// (docs/provider.md#agreements-states). Plain JSON and pure.
import { lower } from '../../domain/attention/flags.js';
import { MAX_CONSECUTIVE_FAILURES } from '../../domain/terms/rules.js';
import { raiseFlag, type Flagged } from '../engine/flags.js';
import { applyOutcome, type Ledger } from './ledger.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';

export interface ConsecutiveFailures {
  /** When the attempts since the last settled payment failed, by the provider's clock; newest last. */
  failedAt: Instant[];
  /** The count at which an operator allowed payments to continue. */
  acceptedAt?: number | undefined;
}

/** More than the scheme allows; it bounds the list if the provider does not suspend the agreement. */
const MAX_COUNTED = 100;

interface FailureCount {
  consecutiveFailures?: ConsecutiveFailures | undefined;
}

/** How many attempts have failed since the last settled payment. */
export const failureCountOf = ({ consecutiveFailures }: FailureCount): number =>
  consecutiveFailures?.failedAt.length ?? 0;

/** The number of failures that counts against new payments. If an operator has accepted the current count, one payment may be in flight at a time. */
export function consecutiveFailuresOf(state: FailureCount): number {
  const count = failureCountOf(state);
  const isAccepted = count > 0 && state.consecutiveFailures?.acceptedAt === count;
  return isAccepted ? Math.min(count, MAX_CONSECUTIVE_FAILURES - 1) : count;
}

/** Applies a payment's report to the ledger and to the failure count. */
export function applyPaymentReport<State extends Ledger & FailureCount & Flagged>(
  before: State,
  report: PaymentReport,
  now: Instant,
): State {
  const { state, newFailures } = applyOutcome(before, report);
  // A refund of a payment that had settled before says nothing about failures since then.
  const wasSettled = before.ledger.some(({ uid, outcome }) => uid === report.uid && outcome === 'settled');
  if (report.outcome === 'settled' && wasSettled) return state;
  if (report.outcome === 'settled') return countFrom(state, report.at);
  if (newFailures === 0) return state;
  const failedAt = [
    ...(state.consecutiveFailures?.failedAt ?? []),
    ...Array<Instant>(newFailures).fill(report.at),
  ];
  const counted = {
    ...state,
    consecutiveFailures: { ...state.consecutiveFailures, failedAt: failedAt.toSorted().slice(-MAX_COUNTED) },
  };
  const count = failureCountOf(counted);
  if (count < MAX_CONSECUTIVE_FAILURES) return counted;
  return raiseFlag(counted, 'consecutive_failures', now, {
    detail: `Payments have failed ${count} times in a row. We stopped them, because the scheme suspends an agreement after one more.`,
    next: 'Find out from the payer why they fail, then resolve this flag. Payments are then admitted one at a time, until one settles or fails.',
  });
}

/** A payment has settled. Only failures after that time still count, because the news of a settlement may be late. */
function countFrom<State extends FailureCount & Flagged>(state: State, settledAt: Instant): State {
  const failedAt = state.consecutiveFailures?.failedAt.filter((at) => at > settledAt) ?? [];
  if (failedAt.length === failureCountOf(state)) return state;
  // If this many failures were allowed, fewer are too.
  const isAccepted = state.consecutiveFailures?.acceptedAt === failureCountOf(state);
  const consecutiveFailures =
    failedAt.length === 0 ? undefined : { failedAt, ...(isAccepted && { acceptedAt: failedAt.length }) };
  const attention =
    failedAt.length < MAX_CONSECUTIVE_FAILURES
      ? lower(state.attention, 'consecutive_failures')
      : state.attention;
  return { ...state, consecutiveFailures, attention };
}

/** An operator allows payments to continue, one at a time until one settles. */
export const acceptConsecutiveFailures = <State extends FailureCount>(state: State): State =>
  state.consecutiveFailures === undefined
    ? state
    : {
        ...state,
        consecutiveFailures: { ...state.consecutiveFailures, acceptedAt: failureCountOf(state) },
      };
