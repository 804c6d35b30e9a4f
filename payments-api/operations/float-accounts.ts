// Float accounts and their entries (docs/provider.md#float-accounts).
import { EntryFilter } from '../requests/filter.schema.js';
import { FloatAccount, FloatAccountEntry } from '../answers/resources.schema.js';
import { itemOf, lists, listsAll, reads, type Asking } from './kinds.js';
import { uuidSegment } from '../requests/checked.js';
import type { Call } from '../http/send.js';

const ROOT = '/bank_accounts';
const entriesOf = (name: string, id: string): string => `${ROOT}/${uuidSegment(name, id)}/entries`;

export const floatAccountOperations = (asking: Asking) => ({
  /** GET /bank_accounts, fetched page by page on demand. */
  listBankAccounts: listsAll(asking, 'listBankAccounts', ROOT, itemOf(FloatAccount), 'link-header'),
  /** GET /bank_accounts/{id}. `not_found` if the account is not ours or not a float account. */
  getFloatAccount: reads(asking, 'getFloatAccount', ROOT, FloatAccount, uuidSegment),
  /** GET /bank_accounts/{id}/entries, newest first, fetched page by page on demand; at most 24 months (docs/provider.md#lists). */
  async *listFloatAccountEntries(id: string, filter: EntryFilter, call: Call) {
    const name = 'listFloatAccountEntries';
    const readItem = itemOf(FloatAccountEntry);
    yield* lists(asking, name, entriesOf(name, id), EntryFilter, readItem, 'link-header')(filter, call);
  },
  /** GET /bank_accounts/{id}/entries/{entryId}. */
  getFloatAccountEntry: async (id: string, entryId: string, call: Call): Promise<FloatAccountEntry> => {
    const name = 'getFloatAccountEntry';
    return reads(asking, name, entriesOf(name, id), FloatAccountEntry, uuidSegment)(entryId, call);
  },
});
