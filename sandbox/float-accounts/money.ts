// Changes float accounts: movements of money, and settings from the control API.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine/parts.js';
import type { AccountIdentifier } from '../store/entities.schema.js';
import type { FloatAccount, FloatEntry, PatchFloatAccount } from '../store/float-account.schema.js';
import { floatAccountAt, findFloatAccount } from './accounts.js';

// The only function that changes a balance. It also writes the entry and the ledger.
export interface Movement {
  /** Cents, never 0. Positive is a credit, negative a debit. */
  amount: number;
  description: string;
}

/** Publishes the event of an entry, and returns it for the ledger. */
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

// A settled payment to a float account increases its balance. All other creditors have accounts elsewhere.
interface Settled {
  uid: string;
  amount: number;
  creditor: { account_identifier: AccountIdentifier };
}

export function creditFloatAccount(engine: Engine, { uid, amount, creditor }: Settled): void {
  const account = floatAccountAt(engine.store, creditor.account_identifier);
  if (account !== undefined) moveMoney(engine, account, { amount, description: `PayTo payment ${uid}` });
}

// The control API can change a float account. The provider has no such call.

/** @throws Refusal 404 for an unknown account. */
export function patchFloatAccount(engine: Engine, id: string, patch: PatchFloatAccount): FloatAccount {
  const account = findFloatAccount(engine, id);
  const { status, available_balance: before } = account;
  account.real_time = patch.real_time ?? account.real_time;
  account.status = patch.status ?? status;
  if (account.status !== status) noteStatus(engine, account, status);
  const amount = (patch.available_balance ?? before) - before;
  if (amount !== 0) moveMoney(engine, account, { amount, description: 'Balance adjustment' });
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
