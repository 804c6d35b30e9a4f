// Reads connection workflows, opens and completes their consent rounds, and revokes their tokens.
import type { UpdateDefinition } from '@temporalio/common';
import {
  CONNECTION_WORKFLOW,
  beginConsentAs,
  completeConsent,
  confirmAccount,
  connectionWorkflowId,
  getConnection,
  revokeConnection,
  useTicket,
  type Confirmation,
  type ConnectionInput,
  type ConnectionView,
  type ConsentAnswer,
  type ConsentRequest,
  type ConsentRound,
  type Revocation,
  type TicketUse,
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
import { storedReads, type ResourceReads } from './resource.js';
import { refusalIn, refusedUpdate } from './temporal/refusals.js';
import type { Calls } from './temporal/calls.js';
import { updateOpen, updateWithStart } from './temporal/updates.js';

/** Includes the call to the authorisation server. */
const COMPLETE_MS = 30_000;

export interface ConnectionsGateway extends ResourceReads<ConnectionView> {
  /** Undefined if the connection does not exist or has ended. An ended connection may be started again. */
  view: (id: string) => Promise<ConnectionView | undefined>;
  /** Whether the connection exists and has not ended. Cached for 30 seconds. */
  exists: (id: string) => Promise<boolean>;
  /** Opens a consent round. Starts the connection if it does not exist or has ended. */
  begin: (id: string, requested?: ConsentRequest) => Promise<ConsentRound>;
  /**
   * Opens a consent round of an existing connection.
   * @param requested `key` is the caller's scoped key. While its round is open, a repeat returns that round.
   */
  reauthorise: (id: string, requested?: ConsentRequest) => Promise<ConsentRound>;
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
  const reads = storedReads(calls, 'connection', (id) => calls.ask(connectionWorkflowId(id), getConnection));
  return {
    view: async (id) => {
      const described = await calls.describe(connectionWorkflowId(id));
      return described?.isOpen === true ? reads.view(id) : undefined;
    },
    exists: choice.exists,
    list: reads.list,
    begin: async (id, requested = {}) => {
      const round = await begin(calls, id, requested).catch((error: unknown) => {
        throw refusedUpdate(error, 'other_account');
      });
      choice.started(id);
      return round;
    },
    reauthorise: (id, requested = {}) => ofOpen(update(calls, id, beginConsentAs, requested)),
    revoke: (id, revocation) => ofOpen(update(calls, id, revokeConnection, revocation)),
    confirm: (id, confirmation) =>
      ofOpen(update(calls, id, confirmAccount, confirmation)).catch((error: unknown) => {
        throw refusedUpdate(error, 'nothing_to_confirm');
      }),
    useTicket: async (id, use) => {
      const { refused } = await ofRound(update(calls, id, useTicket, use));
      return refused === undefined ? {} : { refused };
    },
    complete: async (id, answer) => {
      const { refused, answered } = await ofRound(update(calls, id, completeConsent, answer, COMPLETE_MS));
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

function begin(calls: Calls, id: string, requested: ConsentRequest): Promise<ConsentRound> {
  const input: ConnectionInput = { id };
  const start = {
    workflow: CONNECTION_WORKFLOW,
    workflowId: connectionWorkflowId(id),
    args: [input],
    staticSummary: `OAuth grant ${id}`,
    priority: fairnessOf({ connectionId: id }),
    typedSearchAttributes: [
      { key: CONNECTION_STATUS, value: 'awaiting_consent' },
      { key: CONNECTION_ID, value: id },
      { key: AWAITING, value: 'consent' },
      { key: AWAITING_SINCE, value: new Date() },
    ],
  };
  return updateWithStart(calls, start, beginConsentAs, [requested]);
}

/**
 * Sends an update to a connection. Undefined if the connection has ended.
 * @throws ApiError `not_found` if the connection never existed.
 */
async function update<Answer, Request>(
  calls: Calls,
  id: string,
  definition: UpdateDefinition<Answer, [Request]>,
  request: Request,
  withinMs?: number,
): Promise<Answer | undefined> {
  // A read that needs no worker: it detects an outage of Temporal at once, not after the update's long timeout.
  const described = await calls.describe(connectionWorkflowId(id));
  if (described === undefined) throw notFound('a connection');
  if (!described.isOpen) return undefined;
  return updateOpen(calls, connectionWorkflowId(id), definition, request, withinMs);
}

const ofOpen = async <T>(answer: Promise<T | undefined>): Promise<T> => found(await answer, 'a connection');
