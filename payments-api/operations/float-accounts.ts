// Float accounts and what went through them (interface 2.5, 2.6 and 4.4).
// In:  payments-api/client.ts.
// Out: payments-api/query.ts writes filters, resources.schema.ts reads answers.
import { EntryFilter } from '../requests/filter.schema.js';
import { FloatAccount, FloatAccountEntry } from '../answers/resources.schema.js';
import { dataOf, itemOf } from './kinds.js';
import { items } from '../http/paging.js';
import { queryOf } from '../query.js';
import { uuidSegment } from '../uuid.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface FloatAccountOperations {
  /** GET /bank_accounts/{id}; `not_found` for what is not ours or no float account. */
  getFloatAccount(id: string, call: Call): Promise<FloatAccount>;
  /** GET /bank_accounts/{id}/entries, newest first, page after page as they are consumed; 24 months at most (facts 6). */
  listFloatAccountEntries(id: string, filter: EntryFilter, call: Call): AsyncIterable<FloatAccountEntry>;
  /** GET /bank_accounts/{id}/entries/{entryId}. */
  getFloatAccountEntry(id: string, entryId: string, call: Call): Promise<FloatAccountEntry>;
}

export function floatAccountOperations({ ask, list }: Asking): FloatAccountOperations {
  return {
    getFloatAccount: async (id, call) => {
      const name = 'getFloatAccount';
      const path = `/bank_accounts/${uuidSegment(name, id)}`;
      return ask({ name, method: 'GET', path, read: dataOf(name, FloatAccount) }, call);
    },
    async *listFloatAccountEntries(id, filter, call) {
      const name = 'listFloatAccountEntries';
      const path = `/bank_accounts/${uuidSegment(name, id)}/entries`;
      const query = queryOf(name, EntryFilter, filter);
      const readItem = itemOf(FloatAccountEntry);
      yield* items(list({ name, method: 'GET', path, query, readItem, next: 'link-header' }, call));
    },
    getFloatAccountEntry: async (id, entryId, call) => {
      const name = 'getFloatAccountEntry';
      const path = `/bank_accounts/${uuidSegment(name, id)}/entries/${uuidSegment(name, entryId)}`;
      return ask({ name, method: 'GET', path, read: dataOf(name, FloatAccountEntry) }, call);
    },
  };
}
