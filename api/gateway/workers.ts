// Which workers poll the task queues, and with which release.
import { QUEUES, taskQueueOf, type Queue } from '../../workflows/contracts/every-workflow.js';
import { SLACK_MS, type Calls } from './temporal/calls.js';

export interface QueueWorkers {
  queue: Queue;
  /** The release that new runs start on. Undefined: workers have no releases, so every worker takes every run. */
  current: string | undefined;
  /** The releases of the workers that poll. A worker without a release has undefined. Empty: no worker polls. */
  polling: (string | undefined)[];
}

export interface WorkersGateway {
  /** One entry for each queue. @throws ApiError `temporal_unavailable` */
  queues: () => Promise<QueueWorkers[]>;
}

/** The values in temporal.api.enums.v1.TaskQueueType. */
const WORKFLOW_TASKS = 1;
const ACTIVITY_TASKS = 2;
/** A poll lasts a minute at most. The server lists a worker for some minutes after its last poll. */
const POLLED_WITHIN_MS = 60_000 + 20 * SLACK_MS;

export const createWorkersGateway = (
  { client, taskQueue, short }: Pick<Calls, 'client' | 'taskQueue' | 'short'>,
  nowMs: () => number = Date.now,
): WorkersGateway => {
  const { workflowService, options } = client;
  const one = async (queue: Queue): Promise<QueueWorkers> => {
    const described = await short(() =>
      workflowService.describeTaskQueue({
        namespace: options.namespace,
        taskQueue: { name: taskQueueOf(taskQueue, queue) },
        taskQueueType: queue === 'money' ? WORKFLOW_TASKS : ACTIVITY_TASKS,
      }),
    );
    const releases = (described.pollers ?? [])
      .filter(
        ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > nowMs() - POLLED_WITHIN_MS,
      )
      .map(({ deploymentOptions }) => deploymentOptions?.buildId || undefined);
    const current = described.versioningInfo?.currentDeploymentVersion?.buildId;
    return { queue, current: current || undefined, polling: [...new Set(releases)] };
  };
  return { queues: () => Promise.all(QUEUES.map(one)) };
};
