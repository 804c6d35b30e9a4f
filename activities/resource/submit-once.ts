// Makes calls that must not be made twice, such as submissions under our uid.
import { writeFailure } from '../failure.js';
import { markCalls } from './mark-call.js';
import { instantOf } from './snapshot.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

type Needed = Pick<Dependencies, 'withAccess' | 'temporal'>;

/**
 * Makes the call once, whatever the outcome. If our rate limit has no capacity, nothing is sent: the call fails as `queued` with the time of
 * its turn, and the workflow waits instead of holding a slot. Each write is marked at Temporal before it is sent. If a worker dies, Temporal
 * then knows within seconds, and knows whether anything was sent.
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

/** Creates a resource under our uid, in one call. */
export const submitOnce = <Snapshot extends ResourceSnapshot>(
  deps: Needed & Pick<Dependencies, 'now'>,
  connectionId: string,
  create: (call: Call) => Promise<Snapshot>,
): Promise<Fetched<Snapshot>> =>
  callOnce(deps, connectionId, async (call) => {
    const fetchedAt = instantOf(deps);
    return { fetchedAt, snapshot: await create(call), history: [] };
  });
