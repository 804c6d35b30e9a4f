// One submission of a thing under a uid of ours: sent once, whatever comes of it.
import { sleep } from '@temporalio/activity';
import { throttledMs } from '../../payments-api/errors.js';
import { writeFailure } from '../failure.js';
import { withHeartbeats } from '../heartbeat.js';
import { instantOf } from './snapshot.js';
import type { Fetched, ResourceSnapshot } from '../../domain/snapshot.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

/** How long our own budget is waited for: a token, a turn and the call itself must still fit into the activity's 90 s. */
const PATIENCE_MS = 30_000;

/**
 * Sends it once. Where our own budget has no room nothing has been sent, and Temporal makes no second attempt: so room is waited
 * for here, and what finds none for longer fails as `held_back`, which is no unknown outcome. It heartbeats, so that a worker that dies
 * meanwhile is noticed within seconds.
 */
export async function submitOnce<Snapshot extends ResourceSnapshot>(
  deps: Pick<Dependencies, 'withAccess' | 'now'>,
  connectionId: string,
  create: (call: Call) => Promise<Snapshot>,
): Promise<Fetched<Snapshot>> {
  const submit = (): Promise<Fetched<Snapshot>> =>
    deps.withAccess(connectionId, async (call) => {
      const fetchedAt = instantOf(deps);
      return { fetchedAt, snapshot: await create(call), history: [] };
    });
  return withHeartbeats(async () => {
    for (const untilMs = deps.now() + PATIENCE_MS; ;) {
      try {
        return await submit();
      } catch (error) {
        const waitMs = throttledMs(error);
        if (waitMs === undefined || deps.now() + waitMs > untilMs) throw writeFailure(error);
        await sleep(waitMs);
      }
    }
  });
}
