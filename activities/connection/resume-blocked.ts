import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { IS_OPEN } from '../../delivery/open.js';
import { connectionRestored } from '../../workflows/entity/contract.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { createPace } from '../temporal/pace.js';
import { createVisibility } from '../temporal/visibility.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from '../dependencies.js';

/** How many are read at once, and of those how many signalled at once: enough to keep the server busy, and not to drown it. */
const PER_PAGE = 200;
const AT_ONCE = 25;

export interface ResumeBlockedArgs {
  connectionId: string;
  /** Only those that were blocked then or later; all, where it is left out. */
  since?: string | undefined;
}

/** What is heartbeated: the pages before this one have been signalled whole. A second signal is harmless, a missing one is not. */
interface Progress {
  resumed: number;
  /** Where the next attempt begins, in base64; absent on the first page. */
  next?: string | undefined;
}

/** Signals every workflow that waits for consent of the connection. An attempt continues after the last page of the one before it. */
export function resumeBlockedActivity(
  { temporal, sweep: { resumeMs } }: Pick<Dependencies, 'temporal' | 'sweep'>,
  visibility = createVisibility(temporal),
) {
  /**
   * No faster than the connection's calls may be made: each that is resumed makes one at least, and more of them would only wait.
   * @returns how many were signalled. An attempt after a crash goes on from the first page that was not signalled whole, one after
   *   some could not be signalled begins anew.
   * @throws ApplicationFailure `not_everyone_resumed`, once all have been tried: one that cannot be signalled keeps none blocked.
   */
  return async function resumeBlocked(args: ResumeBlockedArgs): Promise<number> {
    let progress = progressIn(activityInfo().heartbeatDetails);
    const acquire = createPace({ intervalMs: resumeMs, burst: AT_ONCE });
    const walk = async (): Promise<number> => {
      const failures: unknown[] = [];
      let { resumed, next }: Progress = progress;
      do {
        await visibility.acquire();
        const page = await pageOfBlocked(temporal, args, next);
        failures.push(...(await forEach(page.ids, (id) => acquire().then(() => resume(temporal, id)))));
        resumed += page.ids.length;
        next = page.next;
        if (failures.length === 0) progress = { resumed, next };
      } while (next !== undefined);
      if (failures.length > 0) {
        // From the first page again: what was blocked meanwhile stands there, and what was signalled is blocked no more.
        progress = { resumed: 0 };
        heartbeat(progress);
        throw notEveryone(failures, resumed);
      }
      return resumed;
    };
    return withHeartbeats(walk, () => progress);
  };
}

const notEveryone = (failures: readonly unknown[], of: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'not_everyone_resumed',
    message: `${failures.length} of ${of} that wait for consent could not be signalled; they are signalled again`,
    ...(failures[0] instanceof Error && { cause: failures[0] }),
  });

async function pageOfBlocked(
  { workflowService, options: { namespace } }: Client,
  { connectionId, since }: ResumeBlockedArgs,
  from: string | undefined,
): Promise<{ ids: string[]; next: string | undefined }> {
  // One that is still looking for its connection waits for any.
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

/** One that has ended meanwhile needs no signal. */
async function resume(temporal: Client, workflowId: string): Promise<void> {
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
function progressIn(details: unknown): Progress {
  if (typeof details !== 'object' || details === null) return { resumed: 0 };
  const resumed: unknown = Reflect.get(details, 'resumed');
  const next: unknown = Reflect.get(details, 'next');
  if (typeof resumed !== 'number' || typeof next !== 'string') return { resumed: 0 };
  return { resumed, next };
}
