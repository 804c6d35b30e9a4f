// Detects updates that Temporal's server failed without a decision of the workflow.
import { ApplicationFailure } from '@temporalio/common';

/** Failure types of Temporal's server (`service/history/workflow/update`). */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  // The run accepted the update but ended before it completed. The outcome is unknown.
  'AcceptedUpdateCompletedWorkflow',
  // The worker did not process the update, for example because it had lost the task.
  'UnprocessedUpdate',
]);

/** Whether a failed update (`WorkflowUpdateFailedError.cause`) was not a refusal, so that the same update must be sent again. */
export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && OF_THE_SERVER.has(failure.type ?? '');
