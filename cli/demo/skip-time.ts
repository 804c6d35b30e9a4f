// Lets days pass for one workflow in seconds: Temporal's own time skipping, which only our own server is asked for.
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

const NAMESPACE = 'default';

/** Moves the workflow's own clock on by so much; resolves when it is there. Each jump from wait to wait takes about a second. */
export async function fastForward(address: string, workflowId: string, seconds: number): Promise<void> {
  const connection = await Connection.connect({ address });
  const fastForwardId = randomUUID();
  const workflowExecution = { workflowId };
  const { workflowService } = connection;
  try {
    await workflowService.updateWorkflowExecutionOptions({
      namespace: NAMESPACE,
      workflowExecution,
      workflowExecutionOptions: {
        timeSkippingConfig: {
          enabled: true,
          // A payment that begins meanwhile would skip all its waits, and lapse.
          disablePropagation: true,
          fastForwardConfig: { id: fastForwardId, duration: msToTs(seconds * 1000) },
        },
      },
      updateMask: { paths: ['time_skipping_config'] },
    });
    await workflowService.pollWorkflowExecutionTimeSkipping({
      namespace: NAMESPACE,
      workflowExecution,
      fastForwardId,
    });
  } finally {
    await connection.close();
  }
}
