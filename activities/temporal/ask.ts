// What an activity asks of another workflow, which may not be there.
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
