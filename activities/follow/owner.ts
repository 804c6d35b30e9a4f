// Which connection a thing belongs to, when a notification did not say: each is asked.
import { IS_OPEN } from '../../delivery/open.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { CONSENTED, connectionIdOf } from '../../workflows/connection/contract.js';
import { nothingYet, readFailure } from '../failure.js';
import type { Dependencies } from '../dependencies.js';

/**
 * The first connection whose account has it, with what was fetched. While none has it, the attempt fails and is made again
 * where the adoption ladder says; the failure says whether every one could be asked. Where the notification named the
 * connection, only that one is asked, and a missing consent is waited for.
 */
export async function findOwner<T extends object>(
  deps: Pick<Dependencies, 'temporal'>,
  connectionId: string | undefined,
  fetchFrom: (connectionId: string) => Promise<T>,
): Promise<T & { owner: string }> {
  const candidates = connectionId === undefined ? await connectionsOf(deps) : [connectionId];
  let isEachAsked = true;
  for (const owner of candidates) {
    try {
      return { ...(await fetchFrom(owner)), owner };
    } catch (error) {
      const isAbsent = error instanceof PaymentsApiError && error.code === 'not_found';
      if (!isAbsent && candidates.length === 1) throw readFailure(error);
      isEachAsked &&= isAbsent;
    }
  }
  if (isEachAsked && candidates.length > 0) throw nothingYet('adoption', 'no connection has it');
  throw nothingYet('adoption', 'not every connection could be asked', 'not_everyone_asked');
}

async function connectionsOf({ temporal }: Pick<Dependencies, 'temporal'>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query: `${CONSENTED} AND ${IS_OPEN}` }))
    ids.push(connectionIdOf(workflowId));
  return ids;
}
