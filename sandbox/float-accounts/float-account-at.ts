// The float account behind a branch and account number, where there is one.
import type { AccountIdentifier } from '../entities.schema.js';
import type { FloatAccount } from './float-account.schema.js';
import type { Store } from '../store.js';

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
