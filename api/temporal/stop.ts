// What the API asks of the stop of payments, which the first command begins.
// In:  api/temporal/door.ts. Out: workflows/stop/workflow.ts, by its contract alone.
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import type { StopRequest } from '../../domain/stop.js';
import { AWAITING, AWAITING_SINCE } from '../../workflows/entity/search-attributes.js';
import {
  STOP_WORKFLOW,
  STOP_WORKFLOW_ID,
  getStops,
  liftStop,
  stopPayments,
} from '../../workflows/stop/contract.js';
import type { StopInput, Stops } from '../../workflows/stop/contract.js';
import type { Calls } from './calls.js';
import type { ConnectionChoice } from './connection-choice.js';

const COMMAND_MS = 10_000;

export interface StopDoor {
  /** What is stopped. */
  view: () => Promise<Stops>;
  /** Resolves with what is stopped then. @throws ApiError `connection_unknown` */
  stop: (asked: StopRequest) => Promise<Stops>;
  /** Resolves with what is still stopped. */
  lift: (asked: StopRequest) => Promise<Stops>;
}

export function createStopDoor(calls: Calls, { choose }: Pick<ConnectionChoice, 'choose'>): StopDoor {
  return {
    view: async () => (await calls.ask(STOP_WORKFLOW_ID, getStops)) ?? [],
    stop: async (asked) => {
      if (asked.connectionId !== undefined) await choose(asked.connectionId);
      return command(calls, stopPayments, asked);
    },
    lift: (asked) => command(calls, liftStop, asked),
  };
}

const command = (
  calls: Calls,
  update: UpdateDefinition<Stops, [StopRequest]>,
  asked: StopRequest,
): Promise<Stops> => {
  const input: StopInput = {};
  const startWorkflowOperation = new WithStartWorkflowOperation(STOP_WORKFLOW, {
    workflowId: STOP_WORKFLOW_ID,
    taskQueue: calls.taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: 'Stop of payments',
    typedSearchAttributes: [
      { key: AWAITING, value: 'nothing' },
      { key: AWAITING_SINCE, value: new Date() },
    ],
  });
  return calls.long(COMMAND_MS, () =>
    calls.client.workflow.executeUpdateWithStart(update, { args: [asked], startWorkflowOperation }),
  );
};
