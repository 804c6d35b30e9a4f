// The one function that changes the balance of a float account: balance, entry and ledger together.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine.js';
import type { FloatAccount, FloatEntry } from './float-account.schema.js';

export interface Movement {
  /** Cents, and not 0: positive into the account, negative out of it. */
  amount: number;
  description: string;
}

/** Publishes what is to be said of an entry, and names it for the ledger. */
type Announce = (entry: FloatEntry) => { id: string; type: string };

export function moveMoney(
  { store, clock, ledger }: Engine,
  account: FloatAccount,
  { amount, description }: Movement,
  announce?: Announce,
): FloatEntry {
  const before = account.available_balance;
  account.available_balance = before + amount;
  const entry: FloatEntry = {
    id: randomUUID(),
    account_id: account.id,
    created_at: clock.iso(),
    description,
    amount,
    available_balance_after: account.available_balance,
  };
  store.floatEntries.set(entry.id, entry);
  const event = announce?.(entry);
  ledger.append({
    kind: 'change',
    resource_type: 'float_account',
    resource_uid: account.id,
    from: String(before),
    to: String(account.available_balance),
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
  });
  return entry;
}
