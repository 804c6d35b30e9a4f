// Detects updates that failed without a decision of the workflow.
import { ApplicationFailure } from '@temporalio/common';

const UNDECIDED: ReadonlySet<string> = new Set([
  // Failure types of Temporal's server (`service/history/workflow/update`).
  // The run accepted the update but ended before it completed. The outcome is unknown.
  'AcceptedUpdateCompletedWorkflow',
  // The worker did not process the update, for example because it had lost the task.
  'UnprocessedUpdate',
  // Another run has the uid and did not answer the workflow in time.
  'uid_unclear',
]);

/** Whether a failed update (`WorkflowUpdateFailedError.cause`) was not a refusal, so that the same update must be sent again. */
export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && UNDECIDED.has(failure.type ?? '');

/**
 * Adds the minute to an update id. Temporal answers a repeat with the stored answer, also if that was no decision, so a later repeat needs
 * another id. The workflow recognises repeats of what it has admitted.
 */
export const withMinute = (updateId: string): string => `${updateId}/${Math.floor(Date.now() / 60_000)}`;
