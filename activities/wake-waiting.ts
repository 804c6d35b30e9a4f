// In:  workflows/connection/workflow.ts has consent again.
// Out: every workflow of this connection that waits for it, found by search attribute.
import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { IS_OPEN } from '../delivery/open.js';
import { connectionRestored } from '../workflows/agreement/contract.js';
import { beating } from './beat.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from './dependencies.js';

/** How many are read at once, and of those how many told at once: enough to keep the server busy, and not to drown it. */
const PER_PAGE = 200;
const AT_ONCE = 25;

export interface WakeWaitingArgs {
  connectionId: string;
  /** Only those who have begun to wait then or later; all, where it is left out. */
  since?: string | undefined;
}

/** What is heartbeated: the pages before this one have been told whole. Being told twice is harmless, being left out is not. */
interface Progress {
  woken: number;
  /** Where the next attempt begins, in base64; absent on the first page. */
  next?: string | undefined;
}

export function wakeWaitingActivity({ temporal }: Pick<Dependencies, 'temporal'>) {
  /**
   * @returns how many were woken. An attempt after a crash goes on from the first page that was not told whole, one after some
   *   could not be told begins anew.
   * @throws ApplicationFailure `not_everyone_woken`, once all have been tried: one that cannot be told keeps none asleep.
   */
  return async function wakeWaiting(args: WakeWaitingArgs): Promise<number> {
    let progress = resumed(activityInfo().heartbeatDetails);
    const walk = async (): Promise<number> => {
      const failures: unknown[] = [];
      let { woken, next }: Progress = progress;
      do {
        const page = await pageOfWaiting(temporal, args, next);
        failures.push(...(await forEach(page.ids, (id) => wake(temporal, id))));
        woken += page.ids.length;
        next = page.next;
        if (failures.length === 0) progress = { woken, next };
      } while (next !== undefined);
      if (failures.length > 0) {
        // From the first page again: who has begun to wait meanwhile stands there, and who was told does not wait any more.
        progress = { woken: 0 };
        heartbeat(progress);
        throw notEveryone(failures, woken);
      }
      return woken;
    };
    return beating(walk, () => progress);
  };
}

const notEveryone = (failures: readonly unknown[], of: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'not_everyone_woken',
    message: `${failures.length} of ${of} who wait for consent could not be told so; they are told again`,
    ...(failures[0] instanceof Error && { cause: failures[0] }),
  });

async function pageOfWaiting(
  { workflowService, options: { namespace } }: Client,
  { connectionId, since }: WakeWaitingArgs,
  from: string | undefined,
): Promise<{ ids: string[]; next: string | undefined }> {
  // Who is still looking for its connection waits for any.
  const isTheirs = `(ConnectionId = '${connectionId}' OR ConnectionId IS NULL)`;
  const isLate = since === undefined ? '' : ` AND AwaitingSince >= '${since}'`;
  const { executions, nextPageToken } = await workflowService.listWorkflowExecutions({
    namespace,
    query: `${IS_OPEN} AND Awaiting = 'reauthorisation' AND ${isTheirs}${isLate}`,
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

/** A few at a time, and each of them, whatever becomes of others. Resolves to what they failed with. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<unknown[]> {
  const left = items.values();
  const failures: unknown[] = [];
  const oneAfterTheOther = async (): Promise<void> => {
    for (const item of left) await work(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
  return failures;
}

/** What an attempt before this one has left; anything else begins anew. */
function resumed(details: unknown): Progress {
  if (typeof details !== 'object' || details === null) return { woken: 0 };
  const woken: unknown = Reflect.get(details, 'woken');
  const next: unknown = Reflect.get(details, 'next');
  if (typeof woken !== 'number' || typeof next !== 'string') return { woken: 0 };
  return { woken, next };
}
