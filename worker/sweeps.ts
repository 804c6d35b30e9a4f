// On start: sweeps of connections that were there before are scheduled as the configuration says now, so that an upgrade
// or another interval needs no new consent. As well as it goes: every consent schedules its sweep by itself.
// In:  worker/main.ts. Out: activities/sweep/schedule.ts, for each connection that ever had a consent.
import { keepSchedule } from '../activities/sweep/schedule.js';
import { IS_OPEN } from '../delivery/open.js';
import { CONSENTED, connectionIdOf } from '../workflows/connection/contract.js';
import type { Client } from '@temporalio/client';
import type { SweepSettings } from '../activities/dependencies.js';
import type { ScheduleKept, SweepPlan } from '../activities/sweep/schedule.js';
import { traceOf } from '../telemetry/logger.js';
import type { Logger } from '../telemetry/logger.js';
import type { WorkerConfig } from './config.js';

/** Of the calls that a connection may make, so many are a sweep's: payments and look-ups have the rest. */
const SWEEPS_SHARE = 1 / 5;
/** However little a connection may ask, its sweep comes to an end some day. */
const SLOWEST_MS = 60_000;

type Configured = Pick<WorkerConfig, 'SWEEP_INTERVAL_HOURS' | 'SWEEP_ADOPTS' | 'PAYMENTS_RATE_PER_SECOND'>;

/** What activities need to know of sweeps; schedules have whole seconds. */
export const sweepSettings = (config: Configured): SweepSettings => ({
  everyMs: Math.round(config.SWEEP_INTERVAL_HOURS * 3600) * 1000,
  adopts: config.SWEEP_ADOPTS,
  paceMs: Math.min(1000 / (config.PAYMENTS_RATE_PER_SECOND * SWEEPS_SHARE), SLOWEST_MS),
});

/** Beyond this the start is long over, and what stands in the way will not go away. */
const WITHIN_MS = 60_000;

/** Another deployment may share the namespace. */
const ofThisDeployment = (taskQueue: string): string =>
  `${CONSENTED} AND ${IS_OPEN} AND TaskQueue = ${JSON.stringify(taskQueue)}`;

export interface Starting {
  temporal: Client;
  plan: Omit<SweepPlan, 'connectionId'>;
  /** Gives up when the worker stops. */
  signal: AbortSignal;
  log: Logger;
}

/** Never rejects: a worker works without this, and says what it could not see to. */
export async function keepSweeps(starting: Starting): Promise<void> {
  const { temporal, plan, signal, log } = starting;
  const kept = new Map<ScheduleKept, number>();
  const keepAll = async (): Promise<void> => {
    for await (const { workflowId } of temporal.workflow.list({ query: ofThisDeployment(plan.taskQueue) })) {
      const done = await keepOne(starting, connectionIdOf(workflowId));
      if (done !== undefined) kept.set(done, (kept.get(done) ?? 0) + 1);
    }
  };
  try {
    await temporal.withDeadline(Date.now() + WITHIN_MS, () => temporal.withAbortSignal(signal, keepAll));
  } catch (error) {
    if (!signal.aborted) log.warn('not every sweep schedule was seen to', traceOf(error));
  }
  for (const [done, count] of kept) {
    if (done !== 'unchanged' && done !== 'none') log.info(`sweep schedules ${done}`, { count });
  }
}

async function keepOne(
  { temporal, plan, signal, log }: Starting,
  connectionId: string,
): Promise<ScheduleKept | undefined> {
  try {
    return await keepSchedule(temporal, { ...plan, connectionId });
  } catch (error) {
    if (!signal.aborted)
      log.warn('a sweep schedule was not seen to', { connection_id: connectionId, ...traceOf(error) });
    return undefined;
  }
}
