// Reads connection workflows, opens and completes their consent rounds, and revokes their tokens.
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import {
  CONNECTION_WORKFLOW,
  beginConsentAs,
  completeConsent,
  confirmAccount,
  connectionWorkflowId,
  getConnection,
  revokeConnection,
  useTicket,
} from '../../workflows/connection/contract.js';
import type {
  Confirmation,
  ConnectionInput,
  ConnectionView,
  ConsentAnswer,
  ConsentRequest,
  ConsentRound,
  Revocation,
  TicketUse,
} from '../../workflows/connection/contract.js';
import { fairnessOf } from '../../workflows/contracts/every-workflow.js';
import {
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  CONNECTION_STATUS,
} from '../../workflows/contracts/search-attributes.js';
import { found, notFound } from '../http/problems/errors.js';
import type { ConnectionChoice } from './connection-choice.js';
import type { RowsRequest } from '../../records/lists.js';
import type { ListPage, Recordable } from './records.js';
import { refusalIn, refusedUpdate } from './temporal/refusals.js';
import { noneIfNotFound } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';

const BEGIN_MS = 10_000;
const REVOKE_MS = 10_000;
/** Includes the call to the authorisation server. */
const COMPLETE_MS = 30_000;

export interface ConnectionsGateway {
  /** Undefined if the connection does not exist or has ended. An ended connection may be started again. */
  view: (id: string) => Promise<ConnectionView | undefined>;
  /** Whether the connection exists and has not ended. Cached for 30 seconds. */
  exists: (id: string) => Promise<boolean>;
  list: (request: RowsRequest) => Promise<ListPage<ConnectionView>>;
  /** Opens a consent round. Starts the connection if it does not exist or has ended. */
  begin: (id: string, requested?: ConsentRequest) => Promise<ConsentRound>;
  /**
   * Opens a consent round of an existing connection.
   * @param requested `key` is the caller's scoped key. While its round is open, a repeat returns that round.
   */
  renew: (id: string, requested?: ConsentRequest) => Promise<ConsentRound>;
  /** Lets one browser continue. Returns the code of a refusal. */
  useTicket: (id: string, use: TicketUse) => Promise<{ refused?: string }>;
  /** Submits the sealed code. Returns the code of a refusal. An unconfirmed account is not a refusal. */
  complete: (id: string, answer: ConsentAnswer) => Promise<{ refused?: string; isUnconfirmed?: true }>;
  /** Accepts the account of the latest consent. */
  confirm: (id: string, confirmation: Confirmation) => Promise<ConnectionView>;
  /** Deletes the tokens of an existing connection. */
  revoke: (id: string, revocation: Revocation) => Promise<ConnectionView>;
}

export function createConnectionsGateway(calls: Calls, choice: ConnectionChoice): ConnectionsGateway {
  return {
    view: async (id) => {
      const described = await calls.describe(connectionWorkflowId(id));
      if (described?.isOpen !== true) return undefined;
      return calls.recorded.view(connectionOf(id), () => calls.ask(connectionWorkflowId(id), getConnection));
    },
    exists: choice.exists,
    list: (request) => calls.recorded.list('connection', request),
    begin: async (id, requested = {}) => {
      const round = await begin(calls, id, requested).catch((error: unknown) => {
        throw refusedUpdate(error, 'other_account');
      });
      choice.started(id);
      return round;
    },
    renew: (id, requested = {}) =>
      ofOpen(
        update(calls, id, BEGIN_MS, (handle) => handle.executeUpdate(beginConsentAs, { args: [requested] })),
      ),
    revoke: (id, revocation) =>
      ofOpen(
        update(calls, id, REVOKE_MS, (handle) =>
          handle.executeUpdate(revokeConnection, { args: [revocation] }),
        ),
      ),
    confirm: (id, confirmation) =>
      ofOpen(
        update(calls, id, REVOKE_MS, (handle) =>
          handle.executeUpdate(confirmAccount, { args: [confirmation] }),
        ),
      ).catch((error: unknown) => {
        throw refusedUpdate(error, 'nothing_to_confirm');
      }),
    useTicket: async (id, use) => {
      const { refused } = await ofRound(
        update(calls, id, BEGIN_MS, (handle) => handle.executeUpdate(useTicket, { args: [use] })),
      );
      return refused === undefined ? {} : { refused };
    },
    complete: async (id, answer) => {
      const { refused, answered } = await ofRound(
        update(calls, id, COMPLETE_MS, (handle) => handle.executeUpdate(completeConsent, { args: [answer] })),
      );
      if (refused !== undefined) return { refused };
      return answered?.unconfirmed === undefined ? {} : { isUnconfirmed: true };
    },
  };
}

/** The answer of an update about a round, or the code of its refusal. */
async function ofRound<T>(sent: Promise<T | undefined>): Promise<{ refused?: string; answered?: T }> {
  try {
    const answered = await sent;
    // The connection has ended. Its rounds are lost, even if the connection is started again under the same id.
    return answered === undefined ? { refused: 'consent_round_unknown' } : { answered };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    return { refused: refusal.code };
  }
}

const connectionOf = (id: string): Recordable => ({
  resource: 'connection',
  uid: id,
  workflowId: connectionWorkflowId(id),
});

function begin(calls: Calls, id: string, requested: ConsentRequest): Promise<ConsentRound> {
  calls.recorded.updated(connectionWorkflowId(id));
  const input: ConnectionInput = { id };
  const startWorkflowOperation = new WithStartWorkflowOperation(CONNECTION_WORKFLOW, {
    workflowId: connectionWorkflowId(id),
    taskQueue: calls.taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `OAuth grant ${id}`,
    priority: fairnessOf({ connectionId: id }),
    typedSearchAttributes: [
      { key: CONNECTION_STATUS, value: 'awaiting_consent' },
      { key: CONNECTION_ID, value: id },
      { key: AWAITING, value: 'consent' },
      { key: AWAITING_SINCE, value: new Date() },
    ],
  });
  return calls.long(BEGIN_MS, () =>
    calls.client.workflow.executeUpdateWithStart(beginConsentAs, {
      startWorkflowOperation,
      args: [requested],
    }),
  );
}

/**
 * Sends an update to a connection. Undefined if the connection has ended.
 * @throws ApiError `not_found` if the connection never existed.
 */
async function update<T>(
  calls: Calls,
  id: string,
  withinMs: number,
  send: (handle: WorkflowHandle) => Promise<T>,
): Promise<T | undefined> {
  // A read that needs no worker: it detects an outage of Temporal at once, not after the update's long timeout.
  const described = await calls.describe(connectionWorkflowId(id));
  if (described === undefined) throw notFound('a connection');
  if (!described.isOpen) return undefined;
  return calls.update(connectionWorkflowId(id), withinMs, send).catch(noneIfNotFound);
}

const ofOpen = async <T>(answer: Promise<T | undefined>): Promise<T> => found(await answer, 'a connection');
