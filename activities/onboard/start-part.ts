// Starts the workflow of a part in the same way as the API.
import { claimFirst } from '../../delivery/claim-business.js';
import { isStarted } from '../../delivery/open.js';
import { agreementStart, begin, clientStart, counterpartyStart, type Start } from '../../delivery/starts.js';
import { before } from '../temporal/ask.js';
import type { Dependencies } from '../dependencies.js';
import type { PartRequest } from './request.js';

/**
 * @returns true if it was started now; it then sends reports. An existing part must be compared first, and one that cannot be looked up in the
 * records is left to read-part.ts too.
 */
export function startPartActivity({
  temporal: client,
  taskQueue,
  now,
  records,
}: Pick<Dependencies, 'temporal' | 'taskQueue' | 'now' | 'records'>) {
  return async function startPart(requested: PartRequest): Promise<boolean> {
    const { found, isUnchecked } = await before({ records }, requested.part, requested.uid);
    if (found !== undefined || isUnchecked === true) return false;
    if (requested.part === 'client' && requested.input !== undefined) {
      const { connectionId, order, uid } = requested.input;
      if (!(await claimFirst({ client, taskQueue }, { connectionId, order, uid }))) return false;
    }
    const start = startOf(requested, new Date(now()));
    return start !== undefined && isStarted(begin({ client, taskQueue }, start));
  };
}

/**
 * @param isUnchecked the records were away when its uid was looked up.
 * @returns undefined for a client that must already exist, and for a payment, which its agreement starts.
 */
export function startOf(requested: PartRequest, now: Date, isUnchecked?: true): Start | undefined {
  switch (requested.part) {
    case 'client':
      return requested.input && clientStart({ ...requested.input, isUnchecked }, now);
    case 'counterparty':
      return counterpartyStart({ ...requested.input, isUnchecked }, now);
    case 'agreement':
      return agreementStart({ ...requested.input, isUnchecked }, now);
    case 'payment':
      return undefined;
  }
}
