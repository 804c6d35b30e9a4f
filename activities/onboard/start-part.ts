// Starts the workflow of a part in the same way as the API.
import { claimFirst } from '../../delivery/claim-business.js';
import { isStarted } from '../../delivery/open.js';
import { agreementStart, begin, clientStart, counterpartyStart } from '../../delivery/starts.js';
import type { Start } from '../../delivery/starts.js';
import type { Dependencies } from '../dependencies.js';
import type { PartRequest } from './request.js';

/** @returns true if it was started now; it then sends reports. An existing part must be compared first (read-part.ts). */
export function startPartActivity({
  temporal: client,
  taskQueue,
  now,
}: Pick<Dependencies, 'temporal' | 'taskQueue' | 'now'>) {
  return async function startPart(requested: PartRequest): Promise<boolean> {
    if (requested.part === 'client' && requested.input !== undefined) {
      const { connectionId, order, uid } = requested.input;
      if (!(await claimFirst({ client, taskQueue }, { connectionId, order, uid }))) return false;
    }
    const start = startOf(requested, new Date(now()));
    return start !== undefined && isStarted(begin({ client, taskQueue }, start));
  };
}

/** @returns undefined for a client that must already exist, and for a payment, which its agreement starts. */
export function startOf(requested: PartRequest, now: Date): Start | undefined {
  switch (requested.part) {
    case 'client':
      return requested.input && clientStart(requested.input, now);
    case 'counterparty':
      return counterpartyStart(requested.input, now);
    case 'agreement':
      return agreementStart(requested.input, now);
    case 'payment':
      return undefined;
  }
}
