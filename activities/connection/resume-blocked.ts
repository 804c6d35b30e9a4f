import { heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { IS_OPEN, ifFound } from '../../delivery/open.js';
import { connectionRestored } from '../../workflows/contracts/every-workflow.js';
import { detailsWith, withHeartbeats } from '../attempts/heartbeat.js';
import { createPace } from '../temporal/pace.js';
import { createVisibility } from '../temporal/visibility.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from '../dependencies.js';

/** The page size of the list, and how many signals are sent at the same time. This keeps the server busy without overloading it. */
const PER_PAGE = 200;
const AT_ONCE = 25;

export interface ResumeBlockedArgs {
  connectionId: string;
  /** Only workflows blocked at this time or later; all if absent. */
  since?: string | undefined;
}

/** Heartbeat details: all earlier pages have been signalled completely. A repeated signal is harmless, a missing one is not. */
interface Progress {
  resumed: number;
  /** The page token where the next attempt starts, in base64; absent for the first page. */
  next?: string | undefined;
}

export function resumeBlockedActivity(
  { temporal, sweep: { resumeMs } }: Pick<Dependencies, 'temporal' | 'sweep'>,
  visibility = createVisibility(temporal),
) {
  /**
   * Signals every workflow that waits for the connection's consent. Each resumed workflow makes at least one call, so the signals follow the
   * connection's call rate.
   * @returns the number of signalled workflows. An attempt after a crash continues with the first incomplete page. An attempt after failed
   *   signals starts from the first page.
   * @throws ApplicationFailure `not_everyone_resumed` after all have been tried. A failed signal does not hold back the others.
   */
  return async function resumeBlocked(args: ResumeBlockedArgs): Promise<number> {
    let progress = detailsWith<Progress>('next') ?? { resumed: 0 };
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
        // The list then contains only workflows that are still blocked, or were blocked since.
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
    message: `${failures.length} of ${of} blocked workflows could not be signalled; the next attempt signals them again`,
    ...(failures[0] instanceof Error && { cause: failures[0] }),
  });

async function pageOfBlocked(
  { workflowService, options: { namespace } }: Client,
  { connectionId, since }: ResumeBlockedArgs,
  from: string | undefined,
): Promise<{ ids: string[]; next: string | undefined }> {
  // A workflow that is still looking for its connection waits for any of them.
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

/** A workflow that has ended needs no signal. */
const resume = (temporal: Client, workflowId: string): Promise<void> =>
  ifFound(temporal.workflow.getHandle(workflowId).signal(connectionRestored));

/** Processes a few items at a time. A failure does not stop the others. Resolves to all failures. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<unknown[]> {
  const left = items.values();
  const failures: unknown[] = [];
  const oneAfterTheOther = async (): Promise<void> => {
    for (const item of left) await work(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
  return failures;
}
