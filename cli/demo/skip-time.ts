// Lets days pass for one workflow in seconds: Temporal's own time skipping, which only our own server is asked for.
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { WorkflowService } from '@temporalio/client';

/** Moves the workflow's own clock on by so much; resolves when it is there. Each jump from wait to wait takes about a second. */
export async function fastForward(address: string, workflowId: string, seconds: number): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await fastForwardIn(
      { workflowService: connection.workflowService, namespace: 'default' },
      workflowId,
      seconds,
    );
  } finally {
    await connection.close();
  }
}

export interface Namespace {
  workflowService: WorkflowService;
  namespace: string;
}

/**
 * The same over a connection that is there already. A workflow that it starts meanwhile skips none of its own waits, but begins at its clock
 * (`TimeSkippingConfig` in Temporal's API).
 */
export async function fastForwardIn(
  { workflowService, namespace }: Namespace,
  workflowId: string,
  seconds: number,
): Promise<void> {
  const fastForwardId = randomUUID();
  const workflowExecution = { workflowId };
  await workflowService.updateWorkflowExecutionOptions({
    namespace,
    workflowExecution,
    workflowExecutionOptions: {
      timeSkippingConfig: {
        enabled: true,
        disablePropagation: true,
        fastForwardConfig: { id: fastForwardId, duration: msToTs(seconds * 1000) },
      },
    },
    updateMask: { paths: ['time_skipping_config'] },
  });
  await workflowService.pollWorkflowExecutionTimeSkipping({ namespace, workflowExecution, fastForwardId });
}
