// Reads float accounts and their entries, acknowledges a broken chain of balances, and requests readings.
import {
  acknowledgeBreak,
  getFloatAccount,
  requestReading,
  type Acknowledgement,
  type FloatAccountView,
  type ReadingRequest,
} from '../../workflows/float-account/contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StoredFloatEntry } from '../../domain/float/entries.js';
import type { FloatEntriesRequest, StoredStatement } from '../../records/float-entries.js';
import { workflowIdOf } from '../../domain/resources.js';
import { readsOf, type ResourceReads } from './resource.js';
import type { Calls } from './temporal/calls.js';
import { refusedUpdate } from './temporal/refusals.js';
import { updateOpen } from './temporal/updates.js';

export interface FloatAccountsGateway extends ResourceReads<FloatAccountView> {
  /** Newest first. @throws ApiError `records_unavailable` */
  entries: (request: FloatEntriesRequest) => Promise<StoredFloatEntry[]>;
  /** Without the texts of its entries. @throws ApiError `records_unavailable` */
  statement: (accountUid: string, day: { from: Instant; until: Instant }) => Promise<StoredStatement>;
  /** @returns undefined if no such account is followed. */
  acknowledge: (
    uid: string,
    acknowledgement: Omit<Acknowledgement, 'at'>,
  ) => Promise<FloatAccountView | undefined>;
  /** @returns undefined if no such account is followed. @throws ApiError `float_account_blocked` */
  requestReading: (uid: string, request: ReadingRequest) => Promise<FloatAccountView | undefined>;
}

export const createFloatAccountsGateway = (calls: Calls): FloatAccountsGateway => ({
  ...readsOf(calls, 'float-account', getFloatAccount),
  entries: (request) => calls.recorded.ask(({ floatEntries }) => floatEntries(request)),
  statement: (accountUid, day) => calls.recorded.ask(({ statement }) => statement(accountUid, day)),
  acknowledge: (uid, acknowledgement) =>
    updateOpen(calls, workflowIdOf('float-account', uid), acknowledgeBreak, acknowledgement),
  requestReading: (uid, request) =>
    updateOpen(calls, workflowIdOf('float-account', uid), requestReading, request).catch((error: unknown) => {
      throw refusedUpdate(error, 'float_account_blocked');
    }),
});
