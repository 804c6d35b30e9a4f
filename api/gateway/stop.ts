// Reads and commands the stops of payments. The first command starts the stop workflow.
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import type { ResumptionRequest, StopRequest } from '../../domain/payment/stop.js';
import { AWAITING, AWAITING_SINCE } from '../../workflows/contracts/search-attributes.js';
import {
  STOP_WORKFLOW,
  STOP_WORKFLOW_ID,
  getStops,
  resumePayments,
  stopPayments,
} from '../../workflows/stop/contract.js';
import type { StopInput, Stops } from '../../workflows/stop/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { Calls } from './temporal/calls.js';
import { refusalIn } from './temporal/refusals.js';
import type { ConnectionChoice } from './connection-choice.js';

const COMMAND_MS = 10_000;

/** The stops in force, and the number of waiting payments and refunds: undefined while the records are away. */
export interface StopView {
  stops: Stops;
  waiting: { payments: number; refunds: number } | undefined;
}

export interface StopGateway {
  view: () => Promise<StopView>;
  /** Resolves with the stops in force. @throws ApiError `connection_unknown` */
  stop: (requested: StopRequest) => Promise<Stops>;
  /** Resolves with the remaining stops. @throws ApiError `stop_of_another` */
  resume: (requested: ResumptionRequest) => Promise<Stops>;
}

export function createStopGateway(calls: Calls, { choose }: Pick<ConnectionChoice, 'choose'>): StopGateway {
  return {
    view: async () => {
      const [stops = [], waiting] = await Promise.all([
        calls.ask(STOP_WORKFLOW_ID, getStops),
        countWaiting(calls),
      ]);
      return { stops, waiting };
    },
    stop: async (requested) => {
      if (requested.connectionId !== undefined) await choose(requested.connectionId);
      return command(calls, stopPayments, requested);
    },
    resume: (requested) =>
      command(calls, resumePayments, requested).catch((error: unknown) => {
        const refusal = refusalIn(error);
        throw refusal?.code === 'stop_of_another' ? new ApiError(refusal.code, refusal.detail) : error;
      }),
  };
}

/** An operator needs the stops also while the records are away. */
async function countWaiting({ recorded }: Calls): Promise<StopView['waiting']> {
  const count = (resource: 'payment' | 'refund') =>
    recorded.ask((reader) => reader.count(resource, { awaiting: 'stop' }));
  try {
    const [payments, refunds] = await Promise.all([count('payment'), count('refund')]);
    return { payments, refunds };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'records_unavailable') return undefined;
    throw error;
  }
}

const command = <Request>(
  calls: Calls,
  update: UpdateDefinition<Stops, [Request]>,
  requested: Request,
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
    calls.client.workflow.executeUpdateWithStart(update, { args: [requested], startWorkflowOperation }),
  );
};
