// Queries another workflow that may not exist.
import { WorkflowNotFoundError } from '@temporalio/common';
import { isOpen } from '../../delivery/open.js';
import type { Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

/** Returns undefined if the workflow does not exist. A workflow that has ended can be queried too: a worker replays it. */
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

/** Returns undefined if no run with this id is open. */
export async function askOpen<T, Args extends unknown[]>(
  temporal: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> {
  const run = await temporal.workflow
    .getHandle(workflowId)
    .describe()
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
  return run !== undefined && isOpen(run) ? ask(temporal, workflowId, query, ...args) : undefined;
}
