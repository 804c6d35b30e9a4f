// Float accounts and their entries (docs/provider.md#float-accounts).
import { EntryFilter } from '../requests/filter.schema.js';
import { FloatAccount, FloatAccountEntry } from '../answers/resources.schema.js';
import { items } from '../http/paging.js';
import { itemOf, lists, reads } from './kinds.js';
import { uuidSegment } from '../requests/checked.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface FloatAccountOperations {
  /** GET /bank_accounts, fetched page by page on demand. */
  listBankAccounts(call: Call): AsyncIterable<FloatAccount>;
  /** GET /bank_accounts/{id}. `not_found` if the account is not ours or not a float account. */
  getFloatAccount(id: string, call: Call): Promise<FloatAccount>;
  /** GET /bank_accounts/{id}/entries, newest first, fetched page by page on demand; at most 24 months (docs/provider.md#lists). */
  listFloatAccountEntries(id: string, filter: EntryFilter, call: Call): AsyncIterable<FloatAccountEntry>;
  /** GET /bank_accounts/{id}/entries/{entryId}. */
  getFloatAccountEntry(id: string, entryId: string, call: Call): Promise<FloatAccountEntry>;
}

const ROOT = '/bank_accounts';

export function floatAccountOperations(asking: Asking): FloatAccountOperations {
  const entriesOf = (name: string, id: string): string => `${ROOT}/${uuidSegment(name, id)}/entries`;
  return {
    async *listBankAccounts(call) {
      const requested = {
        name: 'listBankAccounts',
        method: 'GET',
        path: ROOT,
        next: 'link-header',
      } as const;
      yield* items(asking.list({ ...requested, readItem: itemOf(FloatAccount) }, call));
    },
    getFloatAccount: reads(asking, 'getFloatAccount', ROOT, FloatAccount, uuidSegment),
    async *listFloatAccountEntries(id, filter, call) {
      const name = 'listFloatAccountEntries';
      const readItem = itemOf(FloatAccountEntry);
      yield* lists(asking, name, entriesOf(name, id), EntryFilter, readItem, 'link-header')(filter, call);
    },
    getFloatAccountEntry: async (id, entryId, call) => {
      const name = 'getFloatAccountEntry';
      return reads(asking, name, entriesOf(name, id), FloatAccountEntry, uuidSegment)(entryId, call);
    },
  };
}
