// What Temporal counts of a run.
import type { Client } from '@temporalio/client';

export interface Counters {
  events: number;
  transitions: number;
  bytes: number;
}

/** @param runId the newest run where left out. Described only: results are sealed, and the key is elsewhere. */
export async function countersOf(temporal: Client, workflowId: string, runId?: string): Promise<Counters> {
  const { historyLength, historySize, raw } = await temporal.workflow.getHandle(workflowId, runId).describe();
  const transitions = Number(raw.workflowExecutionInfo?.stateTransitionCount ?? Number.NaN);
  return { events: historyLength, transitions, bytes: historySize ?? Number.NaN };
}

/** Asks until two answers in a row are the same: nothing is on its way any more. */
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
