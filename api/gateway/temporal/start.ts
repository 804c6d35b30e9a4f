// Starts the first run of a workflow.
import { WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';
import type { Start } from '../../../delivery/starts.js';
import type { Instant } from '../../../domain/facts/fact.js';
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

/** Starts the first run of a resource, and returns its first view. Undefined if the uid is in use, or was used before. */
export async function startNew<Input, View>(
  calls: Calls,
  input: Input,
  startOf: (input: Input, now: Date) => Start,
  firstView: (input: Input, now: Instant) => View,
): Promise<View | undefined> {
  const now = new Date();
  const runId = await startFirst(calls, startOf(input, now));
  return runId === undefined ? undefined : firstView(input, now.toISOString());
}
