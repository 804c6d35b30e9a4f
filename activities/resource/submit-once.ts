// Makes calls that must not be made twice, such as submissions under our uid.
import { PaymentsApiError } from '../../payments-api/errors.js';
import { requireOnlyAttempt, withdrawalSignal } from '../attempts/only.js';
import { unsentFailure, writeFailure } from '../failure.js';
import { createMarks } from './mark-call.js';
import { instantOf } from './snapshot.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

type Needed = Pick<Dependencies, 'withAccess' | 'temporal'>;

/** Checks made right before the first byte. They throw if nothing may be sent any more. */
export type LastChecks = () => Promise<void>;

/**
 * Makes the call once, whatever the outcome. If our rate limit has no capacity, nothing is sent: the call fails as `queued` with the time of
 * its turn, and the workflow waits instead of holding a slot. Each write is marked at Temporal before it is sent. If a worker dies, Temporal
 * then knows within seconds, and knows whether anything was sent. The last checks follow the mark, which may take seconds.
 */
export async function callOnce<T>(
  { withAccess, temporal }: Needed,
  connectionId: string,
  send: (call: Call) => Promise<T>,
  lastChecks?: LastChecks,
): Promise<T> {
  requireOnlyAttempt();
  const signal = withdrawalSignal();
  const marks = createMarks(temporal);
  const beforeWrite = async (): Promise<void> => {
    await marks.mark();
    await lastChecks?.();
  };
  const attempt = (call: Call): Promise<T> =>
    send({ ...call, signal, beforeWrite }).catch((error: unknown) => {
      if (isRefusedToken(error)) marks.clear();
      throw error;
    });
  try {
    return await withAccess(connectionId, attempt);
  } catch (error) {
    throw marks.isMarked() ? writeFailure(error) : unsentFailure(error, signal.aborted);
  } finally {
    marks.end();
  }
}

/** After a 401, which had no effect, a newer token is read, and that may fail. */
const isRefusedToken = (error: unknown): boolean =>
  error instanceof PaymentsApiError && error.code === 'unauthorised';

/** Creates a resource under our uid, in one call. */
export const submitOnce = <Snapshot extends ResourceSnapshot>(
  deps: Needed & Pick<Dependencies, 'now'>,
  connectionId: string,
  create: (call: Call) => Promise<Snapshot>,
  lastChecks?: LastChecks,
): Promise<Fetched<Snapshot>> => {
  const send = async (call: Call): Promise<Fetched<Snapshot>> => {
    const fetchedAt = instantOf(deps);
    return { fetchedAt, snapshot: await create(call), history: [] };
  };
  return callOnce(deps, connectionId, send, lastChecks);
};
