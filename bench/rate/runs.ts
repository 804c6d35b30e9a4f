// Temporal's counters of all runs that a leg started.
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';

export interface RunFigures {
  events: number;
  transitions: number;
  /** kB of history. */
  kilobytes: number;
  failedTasks: number;
  /** Runs that failed, timed out or were terminated. */
  failedRuns: number;
}

interface Run {
  workflowId: string;
  runId: string;
}

const PAGE = 500;
const AT_A_TIME = 8;
/** `FAILED`, `TERMINATED` and `TIMED_OUT` of Temporal's API. */
const FAILURES = [3, 5, 7];

/** Events, transitions and kB of one life; failed tasks and runs of all. Only describes the runs: they are sealed, and we have no key. */
export async function runsIn(client: Client, since: Date, lives: number): Promise<RunFigures> {
  const total: RunFigures = { events: 0, transitions: 0, kilobytes: 0, failedTasks: 0, failedRuns: 0 };
  await pLimit(AT_A_TIME).map(await listRuns(client, since), async (run) => {
    const { events, transitions, kilobytes, failedTasks, failedRuns } = await countersOf(client, run);
    total.events += events / lives;
    total.transitions += transitions / lives;
    total.kilobytes += kilobytes / lives;
    total.failedTasks += failedTasks;
    total.failedRuns += failedRuns;
  });
  return total;
}

async function listRuns({ workflowService, options }: Client, since: Date): Promise<Run[]> {
  const query = `StartTime >= '${since.toISOString()}'`;
  const runs: Run[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await workflowService.listWorkflowExecutions({
      ...{ namespace: options.namespace, query, pageSize: PAGE, nextPageToken },
    });
    for (const { execution } of page.executions)
      runs.push({ workflowId: execution?.workflowId ?? '', runId: execution?.runId ?? '' });
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
  return runs;
}

async function countersOf(client: Client, { workflowId, runId }: Run): Promise<RunFigures> {
  const { workflowExecutionInfo: info } = await client.workflowService.describeWorkflowExecution({
    ...{ namespace: client.options.namespace, execution: { workflowId, runId } },
  });
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return {
    events: Number(info?.historyLength),
    transitions: Number(info?.stateTransitionCount),
    kilobytes: Number(info?.historySizeBytes) / 1000,
    failedTasks: (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length,
    failedRuns: FAILURES.includes(Number(info?.status)) ? 1 : 0,
  };
}
