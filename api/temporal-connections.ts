// What the API asks of connection workflows: rounds of consent, their health, and which one is meant.
// In:  api/temporal.ts. Out: workflows/connection.ts, by its contract alone.
import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import {
  CONNECTION_WORKFLOW, beginConsent, completeConsent, connectionWorkflowId, getConnection,
} from '../workflows/connection.contract.js'; // prettier-ignore
import type { ConnectionInput, ConnectionView, ConsentRound } from '../workflows/connection.contract.js';
import {
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  CONNECTION_STATUS,
} from '../workflows/search-attributes.contract.js';
import { ApiError, notFound } from './errors.js';
import type { ConnectionChoice } from './temporal-connection-choice.js';
import { refusalIn } from './temporal-calls.js';
import type { Calls } from './temporal-calls.js';

const BEGIN_MS = 10_000;
/** The authorisation server is asked meanwhile. */
const COMPLETE_MS = 30_000;

export interface ConnectionsDoor {
  view: (id: string) => Promise<ConnectionView | undefined>;
  /** Opens a round of consent, and the connection itself where there is none. */
  begin: (id: string) => Promise<ConsentRound>;
  /** Opens a round of consent of a connection that exists. */
  renew: (id: string) => Promise<ConsentRound>;
  /** Hands in the sealed code. A refusal is answered by its code. */
  complete: (id: string, answer: { round: number; sealedCode: string }) => Promise<{ refused?: string }>;
}

export function createConnectionsDoor(calls: Calls, choice: ConnectionChoice): ConnectionsDoor {
  return {
    view: (id) => calls.ask(connectionWorkflowId(id), getConnection),
    begin: async (id) => {
      const round = await begin(calls, id);
      choice.forget();
      return round;
    },
    renew: async (id) => {
      if (!(await isOpen(calls, id))) throw ended();
      return calls.tell(connectionWorkflowId(id), BEGIN_MS, (handle) => handle.executeUpdate(beginConsent));
    },
    complete: async (id, answer) => {
      if (!(await isOpen(calls, id))) return { refused: 'connection_ended' };
      try {
        await calls.tell(connectionWorkflowId(id), COMPLETE_MS, (handle) =>
          handle.executeUpdate(completeConsent, { args: [answer] }),
        );
        return {};
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal === undefined) throw error;
        return { refused: refusal.code };
      }
    },
  };
}

const ended = (): ApiError =>
  new ApiError('connection_ended', 'Expected a connection that has not ended; begin one with another id.');

function begin(calls: Calls, id: string): Promise<ConsentRound> {
  const input: ConnectionInput = { id };
  const startWorkflowOperation = new WithStartWorkflowOperation(CONNECTION_WORKFLOW, {
    workflowId: connectionWorkflowId(id),
    taskQueue: calls.taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: `OAuth grant ${id}`,
    typedSearchAttributes: [
      { key: CONNECTION_STATUS, value: 'awaiting_consent' },
      { key: CONNECTION_ID, value: id },
      { key: AWAITING, value: 'consent' },
      { key: AWAITING_SINCE, value: new Date() },
    ],
  });
  return calls
    .long(BEGIN_MS, () =>
      calls.client.workflow.executeUpdateWithStart(beginConsent, { startWorkflowOperation }),
    )
    .catch((error: unknown) => {
      throw error instanceof WorkflowExecutionAlreadyStartedError ? ended() : error;
    });
}

/** Read without a worker, so that an outage of Temporal shows at once and not after an update's long bound. */
async function isOpen(calls: Calls, id: string): Promise<boolean> {
  const described = await calls.describe(connectionWorkflowId(id));
  if (described === undefined) throw notFound('a connection');
  return described.isOpen;
}
