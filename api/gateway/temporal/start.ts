// Starts the first run of a workflow.
import { WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';
import type { Calls } from './calls.js';

interface FirstStart {
  workflow: string;
  options: Omit<WorkflowStartOptions, 'taskQueue' | 'workflowIdReusePolicy' | 'workflowIdConflictPolicy'>;
}

/** Returns the id of the run. Undefined if the id is in use, or was used before. */
export async function startFirst(
  { client, short, taskQueue }: Calls,
  { workflow, options }: FirstStart,
): Promise<string | undefined> {
  try {
    const run = await short(() =>
      client.workflow.start(workflow, {
        ...options,
        taskQueue,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
      }),
    );
    return run.firstExecutionRunId;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}
