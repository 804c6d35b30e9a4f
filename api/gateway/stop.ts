// Reads and commands the stops of payments. The first command starts the stop workflow.
import type { UpdateDefinition } from '@temporalio/common';
import type { ResumptionRequest, StopRequest } from '../../domain/payment/stop.js';
import { AWAITING, AWAITING_SINCE } from '../../workflows/contracts/search-attributes.js';
import {
  STOP_WORKFLOW,
  STOP_WORKFLOW_ID,
  getStops,
  resumePayments,
  stopPayments,
  type StopInput,
  type Stops,
} from '../../workflows/stop/contract.js';
import { noneIfAway } from './records.js';
import type { Calls } from './temporal/calls.js';
import { refusedUpdate } from './temporal/refusals.js';
import { updateWithStart } from './temporal/updates.js';
import type { ConnectionChoice } from './connection-choice.js';

/** The stops in force, and the number of waiting payments and refunds: undefined while the records are away. */
export interface StopView {
  stops: Stops;
  waiting: { payments: number; refunds: number } | undefined;
}

export interface StopGateway {
  view: () => Promise<StopView>;
  /** Resolves with the stops in force. A connection that has ended can be stopped too. @throws ApiError `connection_unknown` */
  stop: (requested: StopRequest) => Promise<Stops>;
  /** Resolves with the remaining stops. @throws ApiError `stop_of_another` */
  resume: (requested: ResumptionRequest) => Promise<Stops>;
}

export function createStopGateway(
  calls: Calls,
  { chooseStarted }: Pick<ConnectionChoice, 'chooseStarted'>,
): StopGateway {
  return {
    view: async () => {
      const [stops = [], waiting] = await Promise.all([
        calls.ask(STOP_WORKFLOW_ID, getStops),
        countWaiting(calls),
      ]);
      return { stops, waiting };
    },
    stop: async (requested) => {
      if (requested.connectionId !== undefined) await chooseStarted(requested.connectionId);
      return command(calls, stopPayments, requested);
    },
    resume: (requested) =>
      command(calls, resumePayments, requested).catch((error: unknown) => {
        throw refusedUpdate(error, 'stop_of_another');
      }),
  };
}

/** An operator needs the stops also while the records are away. */
async function countWaiting({ recorded }: Calls): Promise<StopView['waiting']> {
  const count = (resource: 'payment' | 'refund') =>
    recorded.ask((reader) => reader.count(resource, { awaiting: 'stop' }));
  const counts = await Promise.all([count('payment'), count('refund')]).catch(noneIfAway);
  return counts && { payments: counts[0], refunds: counts[1] };
}

const command = <Request>(
  calls: Calls,
  definition: UpdateDefinition<Stops, [Request]>,
  requested: Request,
): Promise<Stops> => {
  const input: StopInput = {};
  const start = {
    workflow: STOP_WORKFLOW,
    workflowId: STOP_WORKFLOW_ID,
    args: [input],
    staticSummary: 'Stop of payments',
    typedSearchAttributes: [
      { key: AWAITING, value: 'nothing' },
      { key: AWAITING_SINCE, value: new Date() },
    ],
  };
  return updateWithStart(calls, start, definition, [requested]);
};
