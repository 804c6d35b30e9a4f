// On start: updates the sweep, audit and settlement schedules of existing connections to the current configuration, so that an upgrade or
// another interval needs no new consent. This is best effort, because every consent also creates its own schedules.
import { keepSchedule, type ScheduleOutcome, type SchedulePlan } from '../activities/sweep/schedule.js';
import { IS_OPEN } from '../delivery/open.js';
import { CONSENTED, connectionIdOf } from '../workflows/connection/contract.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from '../activities/dependencies.js';
import { traceOf, type Logger } from '../telemetry/logger.js';
import type { WorkerConfig } from './config.js';

/** The share of a connection's calls that sweeps may use. Payments and look-ups get the rest. */
const SWEEPS_SHARE = 1 / 5;
/** The slowest pace, so that a sweep ends even at a very low rate. */
const SLOWEST_MS = 60_000;
/** The slowest pace at which one attempt still signals a whole page of blocked workflows (`resumeBlocked`). */
const SLOWEST_RESUME_MS = 5000;

/** Schedules have whole seconds. */
const everyMsOf = (hours: number): number => Math.round(hours * 3600) * 1000;

/** The settings of the activities that run on a schedule, and of cases of credits. Audits use the pace of sweeps. */
export const scheduledSettings = (
  config: WorkerConfig,
): Pick<Dependencies, 'sweep' | 'audit' | 'settlement' | 'credits'> => ({
  sweep: {
    everyMs: everyMsOf(config.SWEEP_INTERVAL_HOURS),
    adopts: config.SWEEP_ADOPTS,
    paceMs: Math.min(1000 / (config.PAYMENTS_RATE_PER_SECOND * SWEEPS_SHARE), SLOWEST_MS),
    resumeMs: Math.min(1000 / config.PAYMENTS_RATE_PER_SECOND, SLOWEST_RESUME_MS),
  },
  audit: { everyMs: everyMsOf(config.AUDIT_INTERVAL_HOURS), webhookUrl: config.AUDIT_WEBHOOK_URL },
  settlement: { everyMs: everyMsOf(config.SETTLEMENT_INTERVAL_HOURS) },
  credits: {
    caseAfterMs: config.CREDIT_CASE_AFTER_MINUTES * 60_000,
    decideWithinMs: config.CREDIT_DECIDE_WITHIN_HOURS * 3_600_000,
  },
});

/** The time limit for all updates. An obstacle that lasts longer is not temporary. */
const WITHIN_MS = 60_000;

/** Another deployment may share the namespace. */
export const ofThisDeployment = (taskQueue: string): string =>
  `${CONSENTED} AND ${IS_OPEN} AND TaskQueue = ${JSON.stringify(taskQueue)}`;

export interface Starting {
  temporal: Client;
  taskQueue: string;
  plans: readonly Pick<SchedulePlan, 'does' | 'everyMs'>[];
  /** Aborts when the worker stops. */
  signal: AbortSignal;
  log: Logger;
}

/** Never rejects: the worker runs without this, and logs the failures. */
export async function keepSweeps(starting: Starting): Promise<void> {
  const { temporal, taskQueue, plans, signal, log } = starting;
  const stored = new Map<string, number>();
  const keepAll = async (): Promise<void> => {
    for await (const { workflowId } of temporal.workflow.list({ query: ofThisDeployment(taskQueue) })) {
      for (const plan of plans) {
        const done = await keepOne(starting, {
          ...plan,
          taskQueue,
          connectionId: connectionIdOf(workflowId),
        });
        if (done === undefined || done === 'unchanged' || done === 'none') continue;
        const event = `${plan.does} schedules ${done}`;
        stored.set(event, (stored.get(event) ?? 0) + 1);
      }
    }
  };
  try {
    await temporal.withDeadline(Date.now() + WITHIN_MS, () => temporal.withAbortSignal(signal, keepAll));
  } catch (error) {
    if (!signal.aborted) log.warn('updating schedules failed', traceOf(error));
  }
  for (const [event, count] of stored) log.info(event, { count });
}

async function keepOne(
  { temporal, signal, log }: Starting,
  plan: SchedulePlan,
): Promise<ScheduleOutcome | undefined> {
  try {
    return await keepSchedule(temporal, plan);
  } catch (error) {
    if (!signal.aborted)
      log.warn('updating a schedule failed', { connection_id: plan.connectionId, ...traceOf(error) });
    return undefined;
  }
}
