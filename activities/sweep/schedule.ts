// Creates the schedules of a connection (sweep, audit and settlement) and updates them to match the configuration. Changes by an operator in the UI,
// such as a pause or a note, stay.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AUDIT_WORKFLOW, auditId, type AuditInput } from '../../workflows/audit/contract.js';
import { CONNECTION_ID } from '../../workflows/contracts/search-attributes.js';
import {
  SETTLEMENT_WORKFLOW,
  settlementId,
  type SettlementInput,
} from '../../workflows/settlement/contract.js';
import { SWEEP_WORKFLOW, sweepId, type SweepInput } from '../../workflows/sweep/contract.js';
import type { Client, ScheduleDescription, ScheduleHandle, ScheduleOptions } from '@temporalio/client';
import type { Dependencies } from '../dependencies.js';

/** The scheduled workflows of each connection. */
const SCHEDULED = {
  sweep: {
    workflowType: SWEEP_WORKFLOW,
    idOf: sweepId,
    summary: "Compare the provider's lists with ours",
  },
  audit: {
    workflowType: AUDIT_WORKFLOW,
    idOf: auditId,
    summary: 'Deliver webhook events that were pushed but not received',
  },
  settlement: {
    workflowType: SETTLEMENT_WORKFLOW,
    idOf: settlementId,
    summary: 'Fetch the settlement reports that are due',
  },
} as const;

export interface SchedulePlan {
  does: keyof typeof SCHEDULED;
  connectionId: string;
  /** The task queue of the runs. */
  taskQueue: string;
  /** Milliseconds between two runs; 0 for no schedule. */
  everyMs: number;
}

export type ScheduleOutcome = 'created' | 'updated' | 'unchanged' | 'removed' | 'none';

type Given = Pick<Dependencies, 'temporal' | 'taskQueue'> &
  Readonly<Record<keyof typeof SCHEDULED, { everyMs: number }>>;

/** Ensures the schedules of a connection. @returns the outcome for the sweep's schedule. */
export function ensureSweepActivity({ temporal, taskQueue, sweep, audit, settlement }: Given) {
  return async function ensureSweep({ connectionId }: { connectionId: string }): Promise<ScheduleOutcome> {
    const of = { connectionId, taskQueue };
    const [swept] = await Promise.all([
      keepSchedule(temporal, { ...of, does: 'sweep', everyMs: sweep.everyMs }),
      keepSchedule(temporal, { ...of, does: 'audit', everyMs: audit.everyMs }),
      keepSchedule(temporal, { ...of, does: 'settlement', everyMs: settlement.everyMs }),
    ]);
    return swept;
  };
}

/** The longest random delay of a run. It spreads runs that are due in the same minute. */
const LONGEST_JITTER_MS = 5 * 60_000;

/**
 * Creates, updates or deletes the connection's schedule according to the plan.
 * @throws Temporal's errors. Another attempt is safe.
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
    // Checked by name, because activities import Temporal's client only as a type.
    if (error instanceof Error && error.name === 'ScheduleNotFoundError') return undefined;
    throw error;
  }
}

type Wanted = ReturnType<typeof scheduleOf>;

function scheduleOf({ does, connectionId, taskQueue, everyMs }: SchedulePlan) {
  const { workflowType, idOf, summary } = SCHEDULED[does];
  const input: SweepInput & AuditInput & SettlementInput = { connectionId };
  const attributes = [{ key: CONNECTION_ID, value: connectionId }];
  return {
    spec: {
      intervals: [{ every: everyMs, offset: offsetOf(connectionId, everyMs) }],
      jitter: Math.min(LONGEST_JITTER_MS, everyMs / 10),
    },
    // A run is most useful after an outage of Temporal, so one missed run is caught up.
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

/** An offset in whole seconds, the same at each call. It spreads the runs of all connections over the interval. */
export function offsetOf(connectionId: string, everyMs: number): number {
  const digest = createHash('sha256').update(connectionId).digest();
  return Math.floor((digest.readUInt32BE() / 2 ** 32) * (everyMs / 1000)) * 1000;
}

/** Whether the stored schedule matches the plan. A restarted worker then writes nothing. */
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
