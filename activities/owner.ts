// Which connection a thing belongs to, when a notification did not say: each is asked.
import { ApplicationFailure } from '@temporalio/common';
import { PaymentsApiError } from '../payments-api/errors.js';
import { CONNECTION_WORKFLOW, connectionIdOf } from '../workflows/connection.contract.js';
import { NEEDS_REAUTHORISATION, needsReauthorisation, readFailure } from './failure.js';
import { waitForNextLook } from './watch.js';
import type { Dependencies } from './dependencies.js';

/** A connection was asked and does not show it, or it could not be asked for want of consent. */
type Miss = 'absent' | 'not asked';

/**
 * The first connection whose account shows it, and what it showed.
 * While none does, the attempt fails and is made again where the adoption ladder says; where one that may own it
 * has no consent, it fails for good, and whoever asked waits for that.
 */
export async function findOwner<T extends object>(
  deps: Dependencies,
  connectionId: string | undefined,
  look: (connectionId: string) => Promise<T>,
): Promise<T & { owner: string }> {
  let notAsked: string | undefined;
  try {
    for (const owner of connectionId === undefined ? await connectionsOf(deps) : [connectionId]) {
      const found = await look(owner).catch(missed);
      if (typeof found !== 'string') return { ...found, owner };
      if (found === 'not asked') notAsked = owner;
    }
  } catch (error) {
    throw readFailure(error);
  }
  if (notAsked !== undefined) throw needsReauthorisation(notAsked);
  throw waitForNextLook('adoption', 'no connection shows it');
}

function missed(error: unknown): Miss {
  if (error instanceof PaymentsApiError && error.code === 'not_found') return 'absent';
  if (error instanceof ApplicationFailure && error.type === NEEDS_REAUTHORISATION) return 'not asked';
  throw error;
}

async function connectionsOf({ temporal }: Dependencies): Promise<string[]> {
  const query = `WorkflowType = '${CONNECTION_WORKFLOW}' AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(connectionIdOf(workflowId));
  return ids;
}
