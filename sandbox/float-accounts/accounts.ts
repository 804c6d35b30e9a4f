// Float accounts and their entries: look-up, retention of 24 months, and wire format.
import type { Engine } from '../engine/parts.js';
import { refuseInASentence } from '../http/refusal.js';
import type { Store } from '../store/document.js';
import type { AccountIdentifier } from '../store/entities.schema.js';
import type { FloatAccount, FloatEntry } from '../store/float-account.schema.js';

// The float account with this branch and account number, if any.
export const bbanOf = ({ branch_code, account_number }: FloatAccount): string =>
  `${branch_code}-${account_number}`;

/** No float account has an alias. */
export function floatAccountAt(
  { floatAccounts }: Store,
  account: AccountIdentifier,
): FloatAccount | undefined {
  if (account.type !== 'bban') return undefined;
  return [...floatAccounts.values()].find((it) => bbanOf(it) === account.value);
}

// The provider lists the entries of the last 24 months (docs/provider.md#lists).
const KEPT_MONTHS = 24;

/** The oldest instant of a listed entry, in milliseconds. */
export function keptSince({ clock }: Engine): number {
  const date = new Date(clock.now());
  return date.setUTCMonth(date.getUTCMonth() - KEPT_MONTHS);
}

/** Newest first, then by id. Entries of the same instant are therefore not in the order of their balances (docs/provider.md#lists). */
export function entriesOf(engine: Engine, { id }: FloatAccount): FloatEntry[] {
  const since = keptSince(engine);
  return [...engine.store.floatEntries.values()]
    .filter((entry) => entry.account_id === id && Date.parse(entry.created_at) >= since)
    .sort((a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

// Finds a float account or one of its entries by id, or answers 404 with one sentence, as for all core resources.
export function findFloatAccount({ store }: Engine, id: string): FloatAccount {
  const account = store.floatAccounts.get(id);
  if (account !== undefined) return account;
  throw refuseInASentence(404, `There is no float account ${id}`);
}

/** @throws Refusal 404, also for an entry older than 24 months. */
export function findFloatEntry(engine: Engine, account: FloatAccount, id: string): FloatEntry {
  const entry = entriesOf(engine, account).find((it) => it.id === id);
  if (entry !== undefined) return entry;
  throw refuseInASentence(404, `Float account ${account.id} has no entry ${id}`);
}

// The wire format of float accounts and their entries (docs/provider.md#float-accounts).
export function formatFloatAccount(account: FloatAccount) {
  return {
    id: account.id,
    account_type: account.account_type,
    branch_code: account.branch_code,
    bank_name: account.bank_name,
    account_number: account.account_number,
    status: account.status,
    title: account.title,
    available_balance: account.available_balance,
    payid_configs: account.payid_configs,
  };
}

export function formatFloatEntry(entry: FloatEntry, baseUrl: string) {
  return {
    id: entry.id,
    created_at: entry.created_at,
    description: entry.description,
    amount: entry.amount,
    available_balance_after: entry.available_balance_after,
    links: { self: `${baseUrl}/bank_accounts/${entry.account_id}/entries/${entry.id}` },
  };
}
