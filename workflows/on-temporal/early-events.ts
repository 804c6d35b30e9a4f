// Works around a bug in Temporal's sdk-core: docs/decisions/0022-queries-never-run-ahead.md.
import type { ActivateInput, WorkflowInterceptors } from '@temporalio/workflow';

type Activation = ActivateInput['activation'];
type Job = NonNullable<Activation['jobs']>[number];

/**
 * To answer a query, a worker without the run in its cache replays the history to its end. The end may contain events for which no workflow task
 * has started yet. If we handled them now, their commands would precede those of the pending task, and a replay would see another order. So we skip
 * these events and fail the query. The worker then drops the run from its cache, and the task replays it from the start.
 */
export const interceptors = (): WorkflowInterceptors => {
  let last: Activation | undefined;
  let isEarly = false;
  return {
    internals: [
      {
        activate: (input, next) => {
          const { activation } = input;
          const isOfQueries = activation.jobs?.every(isQuery) === true;
          if (!isOfQueries) {
            isEarly ||= last !== undefined && isAheadOfItsTask(last, activation);
            last = activation;
          }
          if (!isEarly) next(input);
          else if (isOfQueries)
            throw new Error('the history has events whose workflow task has not started; repeat the query');
        },
      },
    ],
  };
};

/**
 * There are new events, but no workflow task has started since the last activation: a start changes the timestamp and the history size. We compare
 * both, because the clocks of two Temporal servers may differ.
 */
const isAheadOfItsTask = (
  last: Activation,
  { historyLength, historySizeBytes, timestamp }: Activation,
): boolean =>
  (historyLength ?? 0) > (last.historyLength ?? 0) &&
  String(historySizeBytes) === String(last.historySizeBytes) &&
  String(timestamp?.seconds) === String(last.timestamp?.seconds) &&
  timestamp?.nanos === last.timestamp?.nanos;

const isQuery = ({ queryWorkflow }: Job): boolean => queryWorkflow !== undefined && queryWorkflow !== null;
