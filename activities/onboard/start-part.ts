// Starts the workflow of a part, as the API would.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { claimFirst } from '../../delivery/claim-business.js';
import { agreementStart, begin, clientStart, counterpartyStart } from '../../delivery/starts.js';
import type { Start } from '../../delivery/starts.js';
import type { Dependencies } from '../dependencies.js';
import type { PartRequest } from './request.js';

/** @returns whether it was started now: it reports then. One that exists already has to be compared (read-part.ts). */
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

/** @returns nothing of a client that has to exist, and of a payment, which its agreement starts. */
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

/** @returns false where there is, or was, a workflow of that id. */
export const isStarted = (started: Promise<void>): Promise<boolean> =>
  started.then(
    () => true,
    (error: unknown) => {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    },
  );
