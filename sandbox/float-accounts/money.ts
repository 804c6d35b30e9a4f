// What changes a float account: movements of money, and what the control routes set.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine/parts.js';
import type { AccountIdentifier } from '../store/entities.schema.js';
import type { FloatAccount, FloatEntry, PatchFloatAccount } from '../store/float-account.schema.js';
import { floatAccountAt, findFloatAccount } from './accounts.js';

// The one function that changes the balance of a float account: balance, entry and ledger together.
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

// A settled payment whose creditor is a float account is money in that account. Any other creditor banks elsewhere.
interface Settled {
  uid: string;
  amount: number;
  creditor: { account_identifier: AccountIdentifier };
}

export function creditFloatAccount(engine: Engine, { uid, amount, creditor }: Settled): void {
  const account = floatAccountAt(engine.store, creditor.account_identifier);
  if (account !== undefined) moveMoney(engine, account, { amount, description: `PayTo payment ${uid}` });
}

// What the control routes may change of a float account; the provider itself has no such call.

/** @throws Refusal 404 for an unknown account. */
export function patchFloatAccount(engine: Engine, id: string, patch: PatchFloatAccount): FloatAccount {
  const account = findFloatAccount(engine, id);
  const { status, available_balance: before } = account;
  account.real_time = patch.real_time ?? account.real_time;
  account.status = patch.status ?? status;
  if (account.status !== status) noteStatus(engine, account, status);
  const amount = (patch.available_balance ?? before) - before;
  if (amount !== 0) moveMoney(engine, account, { amount, description: 'Balance set by hand' });
  engine.store.touch();
  return account;
}

function noteStatus({ ledger }: Engine, { id, status }: FloatAccount, from: string): void {
  ledger.append({
    kind: 'change',
    resource_type: 'float_account',
    resource_uid: id,
    from,
    to: status,
    event_id: null,
    event_type: null,
  });
}
