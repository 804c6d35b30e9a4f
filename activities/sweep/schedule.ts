// The schedules of a connection, its sweep's and its audit's: made where they are missing, and kept as they are configured.
// What an operator did to it in the UI (a pause, a note) stays as it is.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AUDIT_WORKFLOW, auditId } from '../../workflows/audit/contract.js';
import { CONNECTION_ID } from '../../workflows/entity/search-attributes.js';
import { SWEEP_WORKFLOW, sweepId } from '../../workflows/sweep/contract.js';
import type { Client, ScheduleDescription, ScheduleHandle, ScheduleOptions } from '@temporalio/client';
import type { AuditInput } from '../../workflows/audit/contract.js';
import type { SweepInput } from '../../workflows/sweep/contract.js';

/** What is scheduled for each connection. */
const SCHEDULED = {
  sweep: {
    workflowType: SWEEP_WORKFLOW,
    idOf: sweepId,
    summary: "compares our agreements with the provider's",
  },
  audit: {
    workflowType: AUDIT_WORKFLOW,
    idOf: auditId,
    summary: 'hands in what the provider pushed and was not received',
  },
} as const;

export interface SchedulePlan {
  does: keyof typeof SCHEDULED;
  connectionId: string;
  /** Whose workers carry it out. */
  taskQueue: string;
  /** Milliseconds from one run to the next; 0 for none at all. */
  everyMs: number;
}

export type ScheduleOutcome = 'created' | 'updated' | 'unchanged' | 'removed' | 'none';

/** Up to so long after its time a run starts, so that those of one minute do not start as one. */
const LONGEST_JITTER_MS = 5 * 60_000;

/**
 * Makes the connection's schedule what the plan says.
 * @throws what Temporal's client throws; another attempt finds what this one has done.
 */
export async function keepSchedule(temporal: Client, plan: SchedulePlan): Promise<ScheduleOutcome> {
  const handle = temporal.schedule.getHandle(SCHEDULED[plan.does].idOf(plan.connectionId));
  const present = await described(handle);
  if (plan.everyMs === 0) {
    if (present === undefined) return 'none';
    await handle.delete();
    return 'removed';
  }
  const wanted = scheduleOf(plan);
  if (present === undefined) {
    await temporal.schedule.create({ ...wanted, scheduleId: handle.scheduleId });
    return 'created';
  }
  if (isAsPlanned(present, wanted)) return 'unchanged';
  const typedSearchAttributes = wanted.typedSearchAttributes;
  await handle.update(({ state }) => ({ ...wanted, state, typedSearchAttributes }));
  return 'updated';
}

async function described(handle: ScheduleHandle): Promise<ScheduleDescription | undefined> {
  try {
    return await handle.describe();
  } catch (error) {
    // By its name: here Temporal's client is known as a type only.
    if (error instanceof Error && error.name === 'ScheduleNotFoundError') return undefined;
    throw error;
  }
}

type Wanted = ReturnType<typeof scheduleOf>;

function scheduleOf({ does, connectionId, taskQueue, everyMs }: SchedulePlan) {
  const { workflowType, idOf, summary } = SCHEDULED[does];
  const input: SweepInput & AuditInput = { connectionId };
  const attributes = [{ key: CONNECTION_ID, value: connectionId }];
  return {
    spec: {
      intervals: [{ every: everyMs, offset: offsetOf(connectionId, everyMs) }],
      jitter: Math.min(LONGEST_JITTER_MS, everyMs / 10),
    },
    // A run that an outage of Temporal has kept from starting is the one that is needed most: it is made up for, once.
    policies: { overlap: 'SKIP', catchupWindow: everyMs },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: idOf(connectionId),
      taskQueue,
      args: [input],
      staticSummary: `${summary}, connection ${connectionId}`,
      typedSearchAttributes: attributes,
    },
    typedSearchAttributes: attributes,
  } as const satisfies Omit<ScheduleOptions, 'scheduleId'>;
}

/** Whole seconds, the same at every call, and spread over the interval: connections do not all have theirs at one time. */
export function offsetOf(connectionId: string, everyMs: number): number {
  const digest = createHash('sha256').update(connectionId).digest();
  return Math.floor((digest.readUInt32BE() / 2 ** 32) * (everyMs / 1000)) * 1000;
}

/** Whether the plan is kept as it is: nothing is written for a worker that starts again. */
function isAsPlanned({ spec, policies, action }: ScheduleDescription, wanted: Wanted): boolean {
  const { intervals = [], calendars = [], skip = [], jitter } = spec;
  const { overlap, catchupWindow } = policies;
  const stored = {
    spec: { intervals, jitter },
    policies: { overlap, catchupWindow },
    action: partOf(action),
  };
  const planned = { spec: wanted.spec, policies: wanted.policies, action: partOf(wanted.action) };
  return calendars.length + skip.length === 0 && isDeepStrictEqual(stored, planned);
}

type Action = Pick<
  ScheduleDescription['action'],
  'workflowType' | 'workflowId' | 'taskQueue' | 'args' | 'staticSummary'
>;

const partOf = ({ workflowType, workflowId, taskQueue, args, staticSummary }: Action | Wanted['action']) => ({
  workflowType,
  workflowId,
  taskQueue,
  args,
  staticSummary,
});
