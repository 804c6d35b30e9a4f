// How a float account and its entries look on the wire (interface 2.5, 2.6).
import type { FloatAccount, FloatEntry } from './float-account.schema.js';

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
