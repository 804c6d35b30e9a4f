// The schedule of a connection's sweep: made where it is missing, and kept as it is configured.
// What an operator did to it in the UI (a pause, a note) stays as it is.
// In:  activities/ensure-sweep.ts; worker/sweeps.ts, for connections that were there before.
// Out: Temporal's schedules, which start workflows/sweep/workflow.ts.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CONNECTION_ID } from '../../workflows/entity/search-attributes.js';
import { SWEEP_WORKFLOW, sweepId } from '../../workflows/sweep/contract.js';
import type { Client, ScheduleDescription, ScheduleHandle, ScheduleOptions } from '@temporalio/client';
import type { SweepInput } from '../../workflows/sweep/contract.js';

export interface SweepPlan {
  connectionId: string;
  /** Whose workers carry the sweep out. */
  taskQueue: string;
  /** Milliseconds from one sweep to the next; 0 for no sweeps at all. */
  everyMs: number;
}

export type ScheduleKept = 'created' | 'updated' | 'unchanged' | 'removed' | 'none';

/** Up to so long after its time a sweep starts, so that those of one minute do not start as one. */
const LONGEST_JITTER_MS = 5 * 60_000;

/**
 * Makes the connection's schedule what the plan says.
 * @throws what Temporal's client throws; another attempt finds what this one has done.
 */
export async function keepSchedule(temporal: Client, plan: SweepPlan): Promise<ScheduleKept> {
  const handle = temporal.schedule.getHandle(sweepId(plan.connectionId));
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

function scheduleOf({ connectionId, taskQueue, everyMs }: SweepPlan) {
  const input: SweepInput = { connectionId };
  const attributes = [{ key: CONNECTION_ID, value: connectionId }];
  return {
    spec: {
      intervals: [{ every: everyMs, offset: offsetOf(connectionId, everyMs) }],
      jitter: Math.min(LONGEST_JITTER_MS, everyMs / 10),
    },
    // A sweep that an outage of Temporal has kept from starting is the one that is needed most: it is made up for, once.
    policies: { overlap: 'SKIP', catchupWindow: everyMs },
    action: {
      type: 'startWorkflow',
      workflowType: SWEEP_WORKFLOW,
      workflowId: sweepId(connectionId),
      taskQueue,
      args: [input],
      staticSummary: `compares our agreements with the provider's, connection ${connectionId}`,
      typedSearchAttributes: attributes,
    },
    typedSearchAttributes: attributes,
  } as const satisfies Omit<ScheduleOptions, 'scheduleId'>;
}

/** Whole seconds, the same at every call, and spread over the interval: connections are not all swept at one time. */
export function offsetOf(connectionId: string, everyMs: number): number {
  const digest = createHash('sha256').update(connectionId).digest();
  return Math.floor((digest.readUInt32BE() / 2 ** 32) * (everyMs / 1000)) * 1000;
}

/** Whether the plan is kept as it is: nothing is written for a worker that starts again. */
function isAsPlanned({ spec, policies, action }: ScheduleDescription, wanted: Wanted): boolean {
  const { intervals = [], calendars = [], skip = [], jitter } = spec;
  const { overlap, catchupWindow } = policies;
  const kept = { spec: { intervals, jitter }, policies: { overlap, catchupWindow }, action: partOf(action) };
  const planned = { spec: wanted.spec, policies: wanted.policies, action: partOf(wanted.action) };
  return calendars.length + skip.length === 0 && isDeepStrictEqual(kept, planned);
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
