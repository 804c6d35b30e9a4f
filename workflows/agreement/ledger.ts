// The payments that an agreement has admitted, what became of each, and the keys that they came with: a repeat is known, and nothing is
// admitted twice. Pure.
import { bytesOf } from '../../domain/facts/retention.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { StoredEntry, PaymentReport } from '../../domain/payment/outcome.js';

/** Orders kept in full to know a repeat from a conflict; of older payments uid and amount; of yet older ones the number. */
const MAX_ORDERS = 200;
/** Fewer where they are larger than this together, in bytes. */
const MAX_ORDERS_BYTES = 128 * 1024;
const MAX_PAYMENTS = 1000;
const MAX_KEYS = 1000;

export interface LedgerEntry extends StoredEntry {
  order?: PaymentOrder | undefined;
  /** It was asked for as the last one under the agreement. */
  isLast?: true | undefined;
  /** How many of its failures were of the agreement's grace period. */
  graceFailures?: number | undefined;
}

export interface Ledger {
  ledger: LedgerEntry[];
  /** How many payments are known only by number. */
  paymentsOlder: number;
  /** What callers' keys were used for, oldest first; absent until the first one. */
  keys?: KeyUse[] | undefined;
}

/** Entries beyond the limit are dropped, oldest first, and counted in `paymentsOlder`. */
export function addPayment<State extends Ledger>(state: State, entry: LedgerEntry): State {
  const all = [...state.ledger, entry];
  const stored = all.slice(-MAX_PAYMENTS);
  const aged = stored.length - MAX_ORDERS;
  const ledger = stored.map((payment, index) => (index < aged ? { ...payment, order: undefined } : payment));
  return { ...state, ledger, paymentsOlder: state.paymentsOlder + all.length - stored.length };
}

/** The newest orders that are within the bytes for them; uid and amount of every payment stay. */
export function compactLedger(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  let bytes = 0;
  const heavy = ledger.findLastIndex(({ order }) => {
    bytes += bytesOf(order);
    return bytes > MAX_ORDERS_BYTES;
  });
  return ledger.map((entry, index) => (index > heavy ? entry : { ...entry, order: undefined }));
}

/** It was not admitted after all, so its key is free again. */
export const dropPayment = <State extends Ledger>(state: State, uid: string): State => ({
  ...state,
  ledger: state.ledger.filter((entry) => entry.uid !== uid),
  keys: state.keys?.filter((use) => use.uid !== uid),
});

/**
 * The entry as its payment reports it, and how many more attempts of it have failed, those in the agreement's grace period not counted; nothing
 * of a payment that is not kept any more.
 */
export function recordOutcome<State extends Ledger>(
  state: State,
  { uid, outcome, at, failures, graceFailures, refunded }: PaymentReport,
): { state: State; newFailures: number } {
  const before = state.ledger.find((entry) => entry.uid === uid);
  // A payment that the provider shows under another agreement reports so to the first one: what that has seen settled still counts.
  if (before?.outcome === 'settled' && outcome === 'not_sent') return { state, newFailures: 0 };
  const ledger = state.ledger.map((entry) =>
    entry.uid === uid
      ? {
          ...{ ...entry, outcome, outcomeAt: at, refunded, graceFailures },
          failures: failures === 0 ? undefined : failures,
        }
      : entry,
  );
  const newFailures = countedFailures({ failures, graceFailures }) - countedFailures(before ?? {});
  return { state: { ...state, ledger }, newFailures: Math.max(newFailures, 0) };
}

const countedFailures = ({
  failures = 0,
  graceFailures = 0,
}: Pick<LedgerEntry, 'failures' | 'graceFailures'>): number => failures - graceFailures;

const useOfKey = ({ keys }: Pick<Ledger, 'keys'>, key: string | undefined): KeyUse | undefined =>
  keys?.find((use) => use.key === key);

/** The very same state where the key was known. */
export const recordKey = <State extends Ledger>(state: State, use: KeyUse | undefined): State =>
  use === undefined || useOfKey(state, use.key) !== undefined
    ? state
    : { ...state, keys: [...(state.keys ?? []), use].slice(-MAX_KEYS) };
