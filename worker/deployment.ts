// The release of a worker, and how it gets its work. A run stays with the release that started it until it continues as
// new. New runs start on the current release (docs/decisions/0012-worker-versions.md).
import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { IS_OPEN } from '../delivery/open.js';
import { traceOf, type Logger } from '../telemetry/logger.js';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import type { WorkerConfig } from './config.js';

/** Named after the task queue, because another product in the namespace polls another queue. The server allows no dot or colon in the name. */
export const deploymentOf = (taskQueue: string): string => taskQueue.replace(/[.:]/g, '-');

/** A query for open runs on another release, on none, or not yet started by a worker. */
export function runsElsewhere(taskQueue: string, version: string): string {
  const release = JSON.stringify(`${deploymentOf(taskQueue)}:${version}`);
  const isElsewhere = `(TemporalWorkerDeploymentVersion IS NULL OR TemporalWorkerDeploymentVersion != ${release})`;
  return `${IS_OPEN} AND TaskQueue = ${JSON.stringify(taskQueue)} AND ${isElsewhere}`;
}

/** Undefined if the workers have no releases. Every worker then takes every run. */
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
/** gRPC codes: before its first poll the server does not know a version or refuses it, and a second worker may be faster. */
const EXPECTED_AT_FIRST: readonly (number | undefined)[] = [5, 9];

export interface Starting {
  temporal: Client;
  /** Undefined if there is no release to make current. */
  release: WorkerDeploymentVersion | undefined;
  /** Aborts when the worker stops. */
  signal: AbortSignal;
  log: Logger;
}

/**
 * Makes a new release current, because its worker gets no new runs before. A release that was current before stays as it is:
 * its worker restarted while runs move to a newer release. Never rejects, and retries until the worker stops.
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
        log.warn(`making release ${release.buildId} current failed, retrying`, traceOf(error));
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
  if (own?.lastCurrentTime) return `release ${buildId} is draining; ${current ?? 'none'} is current`;
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
