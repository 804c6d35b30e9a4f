// Which connection a thing belongs to, when a notification did not say: each is asked.
import { PaymentsApiError } from '../payments-api/errors.js';
import { CONNECTION_WORKFLOW } from '../workflows/connection.contract.js';
import { readFailure } from './failure.js';
import { waitForNextLook } from './watch.js';
import type { Dependencies } from './dependencies.js';

/**
 * The first connection whose account shows it, and what it showed.
 * While none does, the attempt fails and is made again where the adoption ladder says.
 */
export async function findOwner<T extends object>(
  deps: Dependencies,
  connectionId: string | undefined,
  look: (connectionId: string) => Promise<T>,
): Promise<T & { owner: string }> {
  try {
    for (const owner of connectionId === undefined ? await connectionsOf(deps) : [connectionId]) {
      const found = await look(owner).catch(absentHere);
      if (found !== undefined) return { ...found, owner };
    }
  } catch (error) {
    throw readFailure(error);
  }
  throw waitForNextLook('adoption', 'no connection shows it');
}

function absentHere(error: unknown): undefined {
  if (error instanceof PaymentsApiError && error.code === 'not_found') return undefined;
  throw error;
}

async function connectionsOf({ temporal }: Dependencies): Promise<string[]> {
  const query = `WorkflowType = '${CONNECTION_WORKFLOW}' AND ExecutionStatus = 'Running' AND ConnectionStatus = 'healthy'`;
  const ids: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query }))
    ids.push(workflowId.slice(CONNECTION_WORKFLOW.length + 1));
  return ids;
}
