// One call that must not be made twice, as a submission of a thing under a uid of ours: made once, whatever comes of it.
import { writeFailure } from '../failure.js';
import { markCalls } from './mark-call.js';
import { instantOf } from './snapshot.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

type Needed = Pick<Dependencies, 'withAccess' | 'temporal'>;

/**
 * Calls once, whatever comes of it. Where our own budget has no room nothing has been sent: it fails as `queued`, which is no unknown
 * outcome, with when its turn is, and the workflow waits for that instead of a slot here. Each request but a reading is marked at
 * Temporal before it leaves, so that of a worker that dies it is known within seconds, and whether it had sent anything.
 */
export const callOnce = <T>(
  { withAccess, temporal }: Needed,
  connectionId: string,
  work: (call: Call) => Promise<T>,
): Promise<T> =>
  markCalls(temporal, (beforeWrite) =>
    withAccess(connectionId, (call) => work({ ...call, beforeWrite })).catch((error: unknown) => {
      throw writeFailure(error);
    }),
  );

/** Sends a thing under a uid of ours once. */
export const submitOnce = <Snapshot extends ResourceSnapshot>(
  deps: Needed & Pick<Dependencies, 'now'>,
  connectionId: string,
  create: (call: Call) => Promise<Snapshot>,
): Promise<Fetched<Snapshot>> =>
  callOnce(deps, connectionId, async (call) => {
    const fetchedAt = instantOf(deps);
    return { fetchedAt, snapshot: await create(call), history: [] };
  });
