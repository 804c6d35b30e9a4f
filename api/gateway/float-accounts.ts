// Reads float accounts and their entries, and acknowledges a broken chain of balances.
import {
  acknowledgeBreak,
  floatAccountWorkflowId,
  getFloatAccount,
} from '../../workflows/float-account/contract.js';
import type { Acknowledgement, FloatAccountView } from '../../workflows/float-account/contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Statement } from '../../domain/float/statement.js';
import type { StoredFloatEntry } from '../../domain/float/entries.js';
import type { FloatEntriesRequest } from '../../records/float-entries.js';
import type { RowsRequest } from '../../records/lists.js';
import { noneIfNotFound, oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import type { ListPage } from './records.js';

const COMMAND_MS = 10_000;

export interface FloatAccountsGateway {
  view: (uid: string) => Promise<FloatAccountView | undefined>;
  list: (request: RowsRequest) => Promise<ListPage<FloatAccountView>>;
  /** Newest first. @throws ApiError `records_unavailable` */
  entries: (request: FloatEntriesRequest) => Promise<StoredFloatEntry[]>;
  /** @throws ApiError `records_unavailable` */
  statement: (accountUid: string, day: { from: Instant; until: Instant }) => Promise<Statement>;
  /** @returns undefined if no such account is followed. */
  acknowledge: (
    uid: string,
    acknowledgement: Omit<Acknowledgement, 'at'>,
  ) => Promise<FloatAccountView | undefined>;
}

export function createFloatAccountsGateway(calls: Calls): FloatAccountsGateway {
  const ofWorkflow = oneAtATime((uid) => calls.ask(floatAccountWorkflowId(uid), getFloatAccount));
  return {
    view: (uid) =>
      calls.recorded.view({ resource: 'float-account', uid, workflowId: floatAccountWorkflowId(uid) }, () =>
        ofWorkflow(uid),
      ),
    list: (request) => calls.recorded.list('float-account', request),
    entries: (request) => calls.recorded.ask(({ floatEntries }) => floatEntries(request)),
    statement: (accountUid, day) => calls.recorded.ask(({ statement }) => statement(accountUid, day)),
    acknowledge: (uid, acknowledgement) =>
      calls
        .update(floatAccountWorkflowId(uid), COMMAND_MS, (handle) =>
          handle.executeUpdate(acknowledgeBreak, { args: [acknowledgement] }),
        )
        .catch(noneIfNotFound),
  };
}
