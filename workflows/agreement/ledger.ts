// The payments that an agreement has admitted, so that a repeat is known and nothing is admitted twice. Pure.
import type { Instant } from '../../domain/fact.js';
import type { PaymentOrder } from '../../domain/mandate.js';

/** Orders kept in full to tell a repeat from a conflict; of older payments uid and amount; of yet older ones the number. */
const ORDERS_KEPT = 200;
const PAYMENTS_KEPT = 1000;

export interface LedgerEntry {
  uid: string;
  amount: number;
  requestedAt: Instant;
  order?: PaymentOrder | undefined;
}

export interface Ledger {
  ledger: LedgerEntry[];
  /** How many payments are known only by number. */
  paymentsOlder: number;
}

export function withPayment<State extends Ledger>(state: State, entry: LedgerEntry): State {
  const all = [...state.ledger, entry];
  const kept = all.slice(-PAYMENTS_KEPT);
  const aged = kept.length - ORDERS_KEPT;
  const ledger = kept.map((payment, index) => (index < aged ? { ...payment, order: undefined } : payment));
  return { ...state, ledger, paymentsOlder: state.paymentsOlder + all.length - kept.length };
}

export const withoutPayment = <State extends Ledger>(state: State, uid: string): State => ({
  ...state,
  ledger: state.ledger.filter((entry) => entry.uid !== uid),
});
