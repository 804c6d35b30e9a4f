// Lets days pass for one workflow in seconds: Temporal's own time skipping, which only our own server is asked for.
import { randomUUID } from 'node:crypto';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { WorkflowService } from '@temporalio/client';

/** Of gRPC. */
const NOT_FOUND = 5;
/** `WORKFLOW_EXECUTION_STATUS_RUNNING` of Temporal's API. */
const RUNNING = 1;

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
 * (`TimeSkippingConfig` in Temporal's API). A run that is over, or ends meanwhile, has nothing to skip.
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

/** Lets the workflow's own clock jump whenever it would only wait, or no longer. A run that is over has nothing to skip. */
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

/** @throws where there is no such run at all, which Temporal answers with the same code. */
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
