// Queries another workflow that may not exist.
import { ifFound, isOpen } from '../../delivery/open.js';
import type { Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

/** Returns undefined if the workflow does not exist. A workflow that has ended can be queried too: a worker replays it. */
export const ask = <T, Args extends unknown[]>(
  { workflow }: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> => ifFound(workflow.getHandle(workflowId).query(query, ...args));

/** Returns undefined if no run with this id is open. */
export async function askOpen<T, Args extends unknown[]>(
  temporal: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> {
  const run = await ifFound(temporal.workflow.getHandle(workflowId).describe());
  return run !== undefined && isOpen(run) ? ask(temporal, workflowId, query, ...args) : undefined;
}
