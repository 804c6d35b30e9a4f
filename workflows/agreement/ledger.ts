// The payments of an agreement and what became of each: by its uid none is admitted twice. Pure.
import type { Instant } from '../../domain/facts/fact.js';
import type { StoredEntry, PaymentReport } from '../../domain/payment/outcome.js';

/** Of older payments only the number is kept. */
const MAX_PAYMENTS = 1000;

export interface LedgerEntry extends StoredEntry {
  /** When its newest attempt was sent, where that is known. */
  sentAt?: Instant | undefined;
  /** It was asked for as the last one under the agreement. */
  isLast?: true | undefined;
  /** How many of its failures were of the agreement's grace period. */
  graceFailures?: number | undefined;
}

export interface Ledger {
  ledger: LedgerEntry[];
  /** How many payments are known only by number. */
  paymentsOlder: number;
}

/** In the order in which they were requested. Beyond the limit another one is dropped, and counted in `paymentsOlder`. */
export function addPayment<State extends Ledger>(state: State, entry: LedgerEntry): State {
  const isFull = state.ledger.length >= MAX_PAYMENTS;
  const before = isFull ? state.ledger.toSpliced(stalestIn(state.ledger), 1) : state.ledger;
  const place = before.findLastIndex(({ requestedAt }) => requestedAt <= entry.requestedAt) + 1;
  const ledger = before.toSpliced(place, 0, entry);
  return { ...state, ledger, paymentsOlder: state.paymentsOlder + (isFull ? 1 : 0) };
}

/** One that has ended, and of which nothing was received for longest. */
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

/** It was not admitted after all. */
export const dropPayment = <State extends Ledger>(state: State, uid: string): State => ({
  ...state,
  ledger: state.ledger.filter((entry) => entry.uid !== uid),
});

/**
 * The entry as its payment reports it, and how many more attempts of it have failed, those in the agreement's grace period not counted. One that
 * has no entry gets one: it was found at the provider, or taken there for one of another agreement's, or was dropped here.
 */
export function recordOutcome<State extends Ledger>(
  state: State,
  { uid, amount, requestedAt, isLast, outcome, at, failures, ...rest }: PaymentReport,
): { state: State; newFailures: number } {
  const before = state.ledger.find((entry) => entry.uid === uid);
  // A payment that the provider shows under another agreement reports so to the first one: what that has seen settled still counts.
  if (before?.outcome === 'settled' && outcome === 'not_sent') return { state, newFailures: 0 };
  const { sentAt, graceFailures, refunded } = rest;
  // A failure may turn out to be of the attempt before, and so be none: the next one is then not counted once more.
  const most = Math.max(failures, before?.failures ?? 0);
  const reported = {
    ...{ outcome, outcomeAt: at, sentAt, graceFailures, refunded },
    failures: most === 0 ? undefined : most,
  };
  // Of what was not sent, the amount that was asked for stands.
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
