// Temporal's counters of a run.
import type { Client } from '@temporalio/client';

export interface Counters {
  events: number;
  transitions: number;
  bytes: number;
}

/** @param runId defaults to the newest run. Only describes the run: its results are sealed, and we have no key. */
export async function countersOf(temporal: Client, workflowId: string, runId?: string): Promise<Counters> {
  const { historyLength, historySize, raw } = await temporal.workflow.getHandle(workflowId, runId).describe();
  const transitions = Number(raw.workflowExecutionInfo?.stateTransitionCount ?? Number.NaN);
  return { events: historyLength, transitions, bytes: historySize ?? Number.NaN };
}

/** Polls until two consecutive answers are equal: nothing is in progress. */
export async function settledCountersOf(
  temporal: Client,
  workflowId: string,
  runId?: string,
): Promise<Counters> {
  for (let before = await countersOf(temporal, workflowId, runId); ;) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const now = await countersOf(temporal, workflowId, runId);
    if (now.transitions === before.transitions) return now;
    before = now;
  }
}
const QUIET_MS = 1500;
