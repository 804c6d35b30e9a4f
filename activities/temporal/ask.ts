// What an activity asks of another workflow, which may not be there.
import { QueryRejectedError, WorkflowClient } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

/** Undefined where there is no such workflow. One that is over is read as well: a worker replays it. */
export async function ask<T, Args extends unknown[]>(
  { workflow }: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> {
  try {
    return await workflow.getHandle(workflowId).query(query, ...args);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Undefined where no run under that id is open. */
export async function askOpen<T, Args extends unknown[]>(
  { workflow }: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> {
  const ofOpen = new WorkflowClient({ ...workflow.options, queryRejectCondition: 'NOT_OPEN' });
  try {
    return await ofOpen.getHandle(workflowId).query(query, ...args);
  } catch (error) {
    if (error instanceof QueryRejectedError || error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
