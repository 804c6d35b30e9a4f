// Moves idle runs from older releases to the current one, so that the older workers can be switched off. It may be stopped
// and restarted at any time, because Temporal lists the remaining runs.
// Usage: npm run move-runs -- [--dry-run] [--rate 20]; in a container: node dist/worker/move-runs.js
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowNotFoundError, isGrpcServiceError, type Client } from '@temporalio/client';
import { handOver } from '../workflows/contracts/every-workflow.js';
import { FLAG, createReportTimer, runCommand, stopWith } from './command.js';
import { deploymentOf, runsElsewhere } from './deployment.js';

const NAME = 'move-runs';
const COUNT_EVERY_MS = 500;
/** Lists lag, and a run first finishes its uninterruptible steps. After this time no run is about to move. */
const PATIENCE_MS = 30_000;
const NOT_FOUND = 5;
/** The value in temporal.api.enums.v1.RoutingConfigUpdateState. */
const ROUTING_CONFIG_UPDATE_IN_PROGRESS = 1;

interface Move {
  temporal: Client;
  /** The runs that are not on the current release. */
  query: string;
  perSecond: number;
}

const left = async ({ temporal, query }: Move): Promise<number> =>
  (await temporal.workflow.count(query)).count;

/** Signals each listed run, within the rate. */
async function signalAll(move: Move): Promise<void> {
  const { temporal, query, perSecond } = move;
  const startedAtMs = performance.now();
  const isDue = createReportTimer();
  let signalled = 0;
  for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
    await temporal.workflow.getHandle(workflowId, runId).signal(handOver).catch(noneIfOver);
    signalled += 1;
    await pause(Math.max(startedAtMs + (signalled / perSecond) * 1000 - performance.now(), 0));
    if (isDue()) console.log(`${signalled} signalled, ${await left(move)} left`);
  }
}

function noneIfOver(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

/** @returns the number of remaining runs after it has stopped falling. */
async function settled(move: Move): Promise<number> {
  let least = await left(move);
  let movedAtMs = performance.now();
  const isDue = createReportTimer();
  while (least > 0 && performance.now() - movedAtMs < PATIENCE_MS) {
    await pause(COUNT_EVERY_MS);
    const now = await left(move);
    if (now < least) [least, movedAtMs] = [now, performance.now()];
    if (isDue()) console.log(`${now} left`);
  }
  return least;
}

/** Signals the remaining runs again while their number falls. @returns the number of remaining runs. */
async function moveAll(move: Move, count: number): Promise<number> {
  await signalAll(move);
  const remaining = await settled(move);
  return remaining === 0 || remaining >= count ? remaining : moveAll(move, remaining);
}

/** Waits until all task queues know the release. A run signalled before that would see no new release and stay. */
async function currentRelease({ workflowService, options }: Client, deploymentName: string) {
  const { namespace } = options;
  const startedAtMs = performance.now();
  for (;;) {
    const described = await workflowService
      .describeWorkerDeployment({ namespace, deploymentName })
      .catch(noneIfUnknown);
    const { routingConfig, routingConfigUpdateState } = described?.workerDeploymentInfo ?? {};
    const isPropagated = Number(routingConfigUpdateState) !== ROUTING_CONFIG_UPDATE_IN_PROGRESS;
    if (isPropagated || performance.now() - startedAtMs > PATIENCE_MS)
      return routingConfig?.currentDeploymentVersion?.buildId;
    await pause(COUNT_EVERY_MS);
  }
}

/** Before the first worker with a release there is no deployment. */
function noneIfUnknown(error: unknown): undefined {
  if (!isGrpcServiceError(error) || Number(error.code) !== NOT_FOUND) throw error;
}

interface MoveRequest {
  isDry: boolean;
  perSecond: number;
}

/** @returns true if no run is left on older releases. */
async function moveRuns(
  temporal: Client,
  taskQueue: string,
  { isDry, perSecond }: MoveRequest,
): Promise<boolean> {
  const current = await currentRelease(temporal, deploymentOf(taskQueue));
  if (!current) stopWith(NAME, `TASK_QUEUE: expected a current release for ${taskQueue}, found none`);
  const query = runsElsewhere(taskQueue, current);
  const move = { temporal, query, perSecond };
  const count = await left(move);
  console.log(`release ${current} is current; ${count} runs are on other releases or on none`);
  if (isDry || count === 0) return true;
  const remaining = await moveAll(move, count);
  console.log(
    remaining === 0
      ? 'all runs have moved; workers of other releases can be switched off'
      : `${remaining} runs have not moved. Start a worker of their release, or run this again later. To list them:\n  ${query}`,
  );
  return remaining === 0;
}

function parseRequest(): MoveRequest {
  const { values } = parseArgs({
    options: { 'dry-run': FLAG, rate: { type: 'string', default: '20' } },
  });
  const perSecond = Number(values.rate);
  if (!(perSecond > 0 && perSecond <= 1000))
    stopWith(NAME, '--rate: expected runs per second, more than 0 and up to 1000, such as 20');
  return { isDry: values['dry-run'], perSecond };
}

const request = parseRequest();
await runCommand(NAME, (temporal, taskQueue) => moveRuns(temporal, taskQueue, request));
