// In:  workflows/connection.ts has consent again.
// Out: every workflow of this connection that waits for it, found by search attribute.
import { activityInfo } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/common';
import { connectionRestored } from '../workflows/agreement.contract.js';
import { beating } from './beat.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from './dependencies.js';

/** How many are read at once, and of those how many told at once: enough to keep the server busy, and not to drown it. */
const PER_PAGE = 200;
const AT_ONCE = 25;

/** What is heartbeated. Being told twice is harmless, so what has been told of a page is not part of it. */
interface Progress {
  woken: number;
  /** Where the next page begins, in base64; absent on the first. */
  next?: string | undefined;
}

export function wakeWaitingActivity({ temporal }: Pick<Dependencies, 'temporal'>) {
  /** @returns how many were woken. An attempt after a crash goes on behind the last page that was told whole. */
  return async function wakeWaiting({ connectionId }: { connectionId: string }): Promise<number> {
    let progress = resumed(activityInfo().heartbeatDetails);
    const walk = async (): Promise<number> => {
      do {
        const { ids, next } = await pageOfWaiting(temporal, connectionId, progress.next);
        await forEach(ids, (id) => wake(temporal, id));
        progress = { woken: progress.woken + ids.length, next };
      } while (progress.next !== undefined);
      return progress.woken;
    };
    return beating(walk, () => progress);
  };
}

async function pageOfWaiting(
  { workflowService, options: { namespace } }: Client,
  connectionId: string,
  from: string | undefined,
): Promise<{ ids: string[]; next: string | undefined }> {
  // Who is still looking for its connection waits for any.
  const isTheirs = `(ConnectionId = '${connectionId}' OR ConnectionId IS NULL)`;
  const { executions, nextPageToken } = await workflowService.listWorkflowExecutions({
    namespace,
    query: `ExecutionStatus = 'Running' AND Awaiting = 'reauthorisation' AND ${isTheirs}`,
    pageSize: PER_PAGE,
    nextPageToken: Buffer.from(from ?? '', 'base64'),
  });
  const next = Buffer.from(nextPageToken ?? []).toString('base64');
  return {
    ids: (executions ?? []).flatMap(({ execution }) => execution?.workflowId ?? []),
    next: next === '' ? undefined : next,
  };
}

/** One that has ended meanwhile needs no waking. */
async function wake(temporal: Client, workflowId: string): Promise<void> {
  try {
    await temporal.workflow.getHandle(workflowId).signal(connectionRestored);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** A few at a time; fails with the first that fails, once none is under way. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const oneAfterTheOther = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, oneAfterTheOther));
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
}

/** What an attempt before this one has left; anything else begins anew. */
function resumed(details: unknown): Progress {
  if (typeof details !== 'object' || details === null) return { woken: 0 };
  const woken: unknown = Reflect.get(details, 'woken');
  const next: unknown = Reflect.get(details, 'next');
  if (typeof woken !== 'number' || typeof next !== 'string') return { woken: 0 };
  return { woken, next };
}
