// What the API asks of connection workflows: rounds of consent, their health, and which one is meant.
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import {
  CONNECTION_WORKFLOW,
  beginConsent,
  beginConsentAs,
  completeConsent,
  connectionWorkflowId,
  getConnection,
  revokeConnection,
} from '../../workflows/connection/contract.js';
import type {
  ConnectionInput,
  ConnectionView,
  ConsentAnswer,
  ConsentRequest,
  ConsentRound,
  Revocation,
} from '../../workflows/connection/contract.js';
import { fairnessOf } from '../../workflows/entity/contract.js';
import {
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  CONNECTION_STATUS,
} from '../../workflows/entity/search-attributes.js';
import { found, notFound } from '../http/problems/errors.js';
import type { ConnectionChoice } from './connection-choice.js';
import { refusalIn } from './temporal/refusals.js';
import { noneIfNotFound } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';

const BEGIN_MS = 10_000;
const REVOKE_MS = 10_000;
/** The authorisation server is asked meanwhile. */
const COMPLETE_MS = 30_000;

export interface ConnectionsGateway {
  /** Where it stands; undefined where there is none, or where it was ended: that one may be begun again. */
  view: (id: string) => Promise<ConnectionView | undefined>;
  /** Whether there is one that has not ended, remembered for a while. */
  exists: (id: string) => Promise<boolean>;
  /** Opens a round of consent, and the connection itself where there is none, or none any more. */
  begin: (id: string) => Promise<ConsentRound>;
  /**
   * Opens a round of consent of a connection that exists.
   * @param requested `key` is what the caller's key is known by: while the round that it opened is open, a repeat gets that one.
   */
  renew: (id: string, requested?: ConsentRequest) => Promise<ConsentRound>;
  /** Hands in the sealed code. A refusal is answered by its code; an account that is not confirmed yet is no refusal. */
  complete: (id: string, answer: ConsentAnswer) => Promise<{ refused?: string; isUnconfirmed?: true }>;
  /** Has the tokens of a connection that exists forgotten. */
  revoke: (id: string, revocation: Revocation) => Promise<ConnectionView>;
}

export function createConnectionsGateway(calls: Calls, choice: ConnectionChoice): ConnectionsGateway {
  return {
    view: async (id) => {
      const described = await calls.describe(connectionWorkflowId(id));
      return described?.isOpen === true ? calls.ask(connectionWorkflowId(id), getConnection) : undefined;
    },
    exists: choice.exists,
    begin: async (id) => {
      const round = await begin(calls, id);
      choice.forget();
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
    complete: async (id, answer) => {
      try {
        const view = await update(calls, id, COMPLETE_MS, (handle) =>
          handle.executeUpdate(completeConsent, { args: [answer] }),
        );
        // Its rounds are not known any more, nor would they be to a connection that was begun again under its id.
        if (view === undefined) return { refused: 'consent_round_unknown' };
        return view.unconfirmed === undefined ? {} : { isUnconfirmed: true };
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal === undefined) throw error;
        return { refused: refusal.code };
      }
    },
  };
}

function begin(calls: Calls, id: string): Promise<ConsentRound> {
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
    calls.client.workflow.executeUpdateWithStart(beginConsent, { startWorkflowOperation }),
  );
}

/**
 * Sends an update to a connection; undefined where it has ended, even just now.
 * @throws ApiError `not_found` where there was never one.
 */
async function update<T>(
  calls: Calls,
  id: string,
  withinMs: number,
  send: (handle: WorkflowHandle) => Promise<T>,
): Promise<T | undefined> {
  // Read without a worker, so that an outage of Temporal shows at once and not after an update's long bound.
  const described = await calls.describe(connectionWorkflowId(id));
  if (described === undefined) throw notFound('a connection');
  if (!described.isOpen) return undefined;
  return calls.update(connectionWorkflowId(id), withinMs, send).catch(noneIfNotFound);
}

const ofOpen = async <T>(answer: Promise<T | undefined>): Promise<T> => found(await answer, 'a connection');
