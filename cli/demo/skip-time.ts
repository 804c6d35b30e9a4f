// Skips days for one workflow in seconds, by Temporal's time skipping. Used only with our own server.
import { randomUUID } from 'node:crypto';
import { Connection, isGrpcServiceError, type WorkflowService } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

/** A gRPC status code. */
const NOT_FOUND = 5;
/** `WORKFLOW_EXECUTION_STATUS_RUNNING` of Temporal's API. */
const RUNNING = 1;

/** Advances the workflow's own clock and resolves when it is there. Each jump from wait to wait takes about a second. */
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
 * The same over an existing connection. A child started during the skip starts at the parent's clock, but does not skip its
 * own waits (`TimeSkippingConfig` in Temporal's API). A run that has ended, or ends during the skip, has nothing to skip.
 */
export async function fastForwardIn(space: Namespace, workflowId: string, seconds: number): Promise<void> {
  const { workflowService, namespace } = space;
  const fastForwardId = randomUUID();
  await unlessOver(space, workflowId, async () => {
    await configure(space, workflowId, {
      enabled: true,
      disablePropagation: true,
      fastForwardConfig: { id: fastForwardId, duration: msToTs(seconds * 1000) },
    });
    const workflowExecution = { workflowId };
    await workflowService.pollWorkflowExecutionTimeSkipping({ namespace, workflowExecution, fastForwardId });
  });
}

/** Turns the skipping of waits on or off. A run that has ended has nothing to skip. */
export const skipTimeIn = (space: Namespace, workflowId: string, enabled: boolean): Promise<void> =>
  unlessOver(space, workflowId, () => configure(space, workflowId, { enabled }));

interface Skipping {
  enabled: boolean;
  disablePropagation?: boolean;
  fastForwardConfig?: { id: string; duration: ReturnType<typeof msToTs> };
}

async function configure(
  { workflowService, namespace }: Namespace,
  workflowId: string,
  timeSkippingConfig: Skipping,
): Promise<void> {
  await workflowService.updateWorkflowExecutionOptions({
    namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig },
    updateMask: { paths: ['time_skipping_config'] },
  });
}

/** @throws if the workflow does not exist; Temporal answers that with the same code as for an ended run. */
async function unlessOver(
  { workflowService, namespace }: Namespace,
  workflowId: string,
  skip: () => Promise<void>,
): Promise<void> {
  try {
    await skip();
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== NOT_FOUND) throw error;
    const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    if (Number(workflowExecutionInfo?.status) === RUNNING) throw error;
  }
}
