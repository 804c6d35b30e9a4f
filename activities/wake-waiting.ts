// In:  workflows/connection.ts has consent again.
// Out: every workflow of this connection that waits for it, found by search attribute.
import { WorkflowNotFoundError } from '@temporalio/common';
import { connectionRestored } from '../workflows/agreement.contract.js';
import type { Dependencies } from './dependencies.js';

export function wakeWaitingActivity({ temporal }: Dependencies) {
  /** @returns how many were woken. */
  return async function wakeWaiting({ connectionId }: { connectionId: string }): Promise<number> {
    // Who is still looking for its connection waits for any.
    const isTheirs = `(ConnectionId = '${connectionId}' OR ConnectionId IS NULL)`;
    const query = `ExecutionStatus = 'Running' AND Awaiting = 'reauthorisation' AND ${isTheirs}`;
    let woken = 0;
    for await (const { workflowId } of temporal.workflow.list({ query })) {
      await temporal.workflow.getHandle(workflowId).signal(connectionRestored).catch(ended);
      woken += 1;
    }
    return woken;
  };
}

/** One that has ended meanwhile needs no waking. */
function ended(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
