// Updates that ended without an answer of the workflow: what Temporal's server answers in its stead says nothing of what was asked.
import { ApplicationFailure } from '@temporalio/common';

/** Types of failure in Temporal's server (`service/history/workflow/update`). */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  // The run took it on and ended first: what came of it is not known.
  'AcceptedUpdateCompletedWorkflow',
  // A worker came back without it, as one does that had lost the task: it was never judged.
  'UnprocessedUpdate',
]);

/** Whether the failure of an update (`WorkflowUpdateFailedError.cause`) is no refusal: the same update is to be sent again. */
export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && OF_THE_SERVER.has(failure.type ?? '');
