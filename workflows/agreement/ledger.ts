// The payments of an agreement and their outcomes. No uid is admitted twice. Pure.
import type { Instant } from '../../domain/facts/fact.js';
import type { StoredEntry, PaymentReport } from '../../domain/payment/outcome.js';

/** Beyond this, we only count older payments. */
const MAX_PAYMENTS = 1000;

export interface LedgerEntry extends StoredEntry {
  /** When the latest attempt was sent, if known. */
  sentAt?: Instant | undefined;
  /** The request declared it the last payment of the agreement. */
  isLast?: true | undefined;
  /** How many of its failures occurred in the agreement's grace period. */
  graceFailures?: number | undefined;
}

export interface Ledger {
  ledger: LedgerEntry[];
  /** How many payments we only count. */
  paymentsOlder: number;
}

/** Adds an entry in order of request time. If the ledger is full, it drops one and counts it in `paymentsOlder`. */
export function addPayment<State extends Ledger>(state: State, entry: LedgerEntry): State {
  const isFull = state.ledger.length >= MAX_PAYMENTS;
  const before = isFull ? state.ledger.toSpliced(stalestIn(state.ledger), 1) : state.ledger;
  const place = before.findLastIndex(({ requestedAt }) => requestedAt <= entry.requestedAt) + 1;
  const ledger = before.toSpliced(place, 0, entry);
  return { ...state, ledger, paymentsOlder: state.paymentsOlder + (isFull ? 1 : 0) };
}

/** The ended payment with the oldest news. */
function stalestIn(ledger: readonly LedgerEntry[]): number {
  const newsAt = ({ requestedAt, outcomeAt = requestedAt, ...entry }: LedgerEntry): string =>
    `${isInFlight(entry) ? 1 : 0} ${outcomeAt}`;
  return ledger.reduce(
    (stalest, entry, index) => (newsAt(entry) < newsAt(ledger[stalest] ?? entry) ? index : stalest),
    0,
  );
}

export const isInFlight = ({ outcome = 'in_flight' }: Pick<LedgerEntry, 'outcome'>): boolean =>
  outcome === 'in_flight';

/** A retry was admitted. From now on it counts as in flight, so no other payment takes its place. */
export function markRetryAdmitted<State extends Ledger>(
  state: State,
  { uid, amount, at }: { uid: string; amount: number; at: Instant },
): State {
  const retried = { outcome: 'in_flight', outcomeAt: at, sentAt: at } as const;
  return state.ledger.some((entry) => entry.uid === uid)
    ? {
        ...state,
        ledger: state.ledger.map((entry) => (entry.uid === uid ? { ...entry, ...retried } : entry)),
      }
    : addPayment(state, { uid, amount, requestedAt: at, ...retried });
}

/** Removes a payment that was not admitted after all. */
export const dropPayment = <State extends Ledger>(state: State, uid: string): State => ({
  ...state,
  ledger: state.ledger.filter((entry) => entry.uid !== uid),
});

/**
 * Applies a payment's report and returns the number of new failures outside the agreement's grace period. A payment without an entry gets one: it
 * was found at the provider, was admitted by another agreement but belongs to this one at the provider, or was dropped from the ledger.
 */
export function applyOutcome<State extends Ledger>(
  state: State,
  { uid, amount, requestedAt, isLast, outcome, at, failures, ...rest }: PaymentReport,
): { state: State; newFailures: number } {
  const before = state.ledger.find((entry) => entry.uid === uid);
  // The provider shows this payment under another agreement, so it reports `not_sent` to this one. If it had settled here, that still counts.
  if (before?.outcome === 'settled' && outcome === 'not_sent') return { state, newFailures: 0 };
  const { sentAt, graceFailures, refunded } = rest;
  // A failure may turn out to belong to the previous attempt. Keeping the maximum prevents counting the next failure twice.
  const most = Math.max(failures, before?.failures ?? 0);
  const reported = {
    ...{ outcome, outcomeAt: at, sentAt, graceFailures, refunded },
    failures: most === 0 ? undefined : most,
  };
  // An unsent payment keeps its requested amount.
  const paid = outcome === 'not_sent' ? {} : { amount, isLast };
  const newFailures = countedFailures({ failures, graceFailures }) - countedFailures(before ?? {});
  return {
    state:
      before === undefined
        ? addPayment(state, { uid, amount, requestedAt, isLast, ...reported })
        : {
            ...state,
            ledger: state.ledger.map((entry) =>
              entry.uid === uid ? { ...entry, ...paid, ...reported } : entry,
            ),
          },
    newFailures: Math.max(newFailures, 0),
  };
}

const countedFailures = ({
  failures = 0,
  graceFailures = 0,
}: Pick<LedgerEntry, 'failures' | 'graceFailures'>): number => failures - graceFailures;
