// Float accounts and their entries: found, kept for 24 months, and as they look on the wire.
import type { Engine } from '../engine/parts.js';
import { refuseInASentence } from '../http/refusal.js';
import type { Store } from '../store/document.js';
import type { AccountIdentifier } from '../store/entities.schema.js';
import type { FloatAccount, FloatEntry } from '../store/float-account.schema.js';

// The float account behind a branch and account number, where there is one.
export const bbanOf = ({ branch_code, account_number }: FloatAccount): string =>
  `${branch_code}-${account_number}`;

/** Aliases lead to no float account: none is registered for one. */
export function floatAccountAt(
  { floatAccounts }: Store,
  account: AccountIdentifier,
): FloatAccount | undefined {
  if (account.type !== 'bban') return undefined;
  return [...floatAccounts.values()].find((it) => bbanOf(it) === account.value);
}

// The entries of a float account as far back as they are kept: a rolling 24 months (docs/provider.md#lists).
const KEPT_MONTHS = 24;

/** The first instant whose entries are still kept, in milliseconds. */
export function keptSince({ clock }: Engine): number {
  const date = new Date(clock.now());
  return date.setUTCMonth(date.getUTCMonth() - KEPT_MONTHS);
}

/** Newest first, then by id: entries of one instant are not in the order of their balances (docs/provider.md#lists). */
export function entriesOf(engine: Engine, { id }: FloatAccount): FloatEntry[] {
  const since = keptSince(engine);
  return [...engine.store.floatEntries.values()]
    .filter((entry) => entry.account_id === id && Date.parse(entry.created_at) >= since)
    .sort((a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

// A float account or one of its entries by id, or the 404 for there being none: in a sentence, as core resources do.
export function findFloatAccount({ store }: Engine, id: string): FloatAccount {
  const account = store.floatAccounts.get(id);
  if (account !== undefined) return account;
  throw refuseInASentence(404, `There is no float account ${id}`);
}

/** One that is older than what is kept (24 months) is not found either. */
export function findFloatEntry(engine: Engine, account: FloatAccount, id: string): FloatEntry {
  const entry = entriesOf(engine, account).find((it) => it.id === id);
  if (entry !== undefined) return entry;
  throw refuseInASentence(404, `Float account ${account.id} has no entry ${id}`);
}

// How a float account and its entries look on the wire (docs/provider.md#float-accounts).
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
