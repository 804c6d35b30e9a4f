// Which release a worker runs, and how it gets its work: a run stays with the release that began it until it continues as
// new, and new runs begin on the release that is current (docs/decisions/0012-worker-versions.md).
import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { IS_OPEN } from '../delivery/open.js';
import { traceOf } from '../telemetry/logger.js';
import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../telemetry/logger.js';
import type { WorkerConfig } from './config.js';

/** Another product may share the namespace: its workers poll another queue. The server allows no dot or colon in the name. */
export const deploymentOf = (taskQueue: string): string => taskQueue.replace(/[.:]/g, '-');

/** Open runs that are not on that release: on another one, on none, or not begun by a worker yet. */
export function runsElsewhere(taskQueue: string, version: string): string {
  const release = JSON.stringify(`${deploymentOf(taskQueue)}:${version}`);
  const isElsewhere = `(TemporalWorkerDeploymentVersion IS NULL OR TemporalWorkerDeploymentVersion != ${release})`;
  return `${IS_OPEN} AND TaskQueue = ${JSON.stringify(taskQueue)} AND ${isElsewhere}`;
}

/** Undefined where the workers have no releases: then every worker takes every run. */
export const releaseOf = ({
  TASK_QUEUE,
  WORKER_VERSION: buildId,
}: Pick<WorkerConfig, 'TASK_QUEUE' | 'WORKER_VERSION'>): WorkerDeploymentVersion | undefined =>
  buildId === undefined ? undefined : { deploymentName: deploymentOf(TASK_QUEUE), buildId };

export const versioningOf = (
  version: WorkerDeploymentVersion | undefined,
): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  version === undefined
    ? {}
    : {
        workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' },
      };

const TRY_EVERY_MS = 500;
/** The server does not know a version before its first poll, nor accept it; a second worker may have been faster. */
const EXPECTED_AT_FIRST: readonly (number | undefined)[] = [5, 9];

export interface Starting {
  temporal: Client;
  /** Undefined: there is nothing to make current. */
  release: WorkerDeploymentVersion | undefined;
  /** Gives up when the worker stops. */
  signal: AbortSignal;
  log: Logger;
}

/**
 * Makes a new release current, since its worker gets no new runs before. A release that was current once is left as it is: its
 * worker was restarted while runs move on to a newer one. Never rejects, and tries for as long as the worker runs.
 */
export async function makeCurrent({ temporal, release, signal, log }: Starting): Promise<void> {
  let isReported = false;
  while (release !== undefined && !signal.aborted) {
    try {
      return log.info(await oneAttempt(temporal, release));
    } catch (error) {
      const isExpected = isGrpcServiceError(error) && EXPECTED_AT_FIRST.includes(error.code);
      if (!isExpected && !isReported && !signal.aborted) {
        isReported = true;
        log.warn(`release ${release.buildId} could not be made current, and is tried again`, traceOf(error));
      }
    }
    await pause(TRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function oneAttempt({ workflowService, options }: Client, release: WorkerDeploymentVersion) {
  const { namespace, identity } = options;
  const { deploymentName, buildId } = release;
  const described = await workflowService.describeWorkerDeployment({ namespace, deploymentName });
  const { routingConfig, versionSummaries } = described.workerDeploymentInfo ?? {};
  const current = routingConfig?.currentDeploymentVersion?.buildId;
  if (current === buildId) return `release ${buildId} is current`;
  const own = versionSummaries?.find(({ deploymentVersion }) => deploymentVersion?.buildId === buildId);
  if (own?.lastCurrentTime) return `release ${buildId} finishes its runs; ${current ?? 'none'} is current`;
  const { conflictToken } = described;
  await workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName,
    buildId,
    conflictToken,
    identity,
  });
  return `release ${buildId} is current now`;
}
