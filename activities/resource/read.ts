// The reads of every followed resource: look up, find, watch and adopt.
import { PaymentsApiError } from '../../payments-api/errors.js';
import { countState } from '../attempts/counted.js';
import { nothingYet, readFailure } from '../failure.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { connectionsOf, findOwner } from './find-owner.js';
import type { PollIntervalsName } from '../../domain/time/poll-intervals.js';
import type { ProviderResource } from '../../domain/resources.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Dependencies } from '../dependencies.js';
import type { Reader, Ref } from './snapshot.js';

export interface WatchArgs extends Ref {
  pollIntervals: PollIntervalsName;
  /** The known state of the resource. Any other state is news. */
  snapshotState: string;
}

export interface AdoptArgs {
  uid: string;
  /** Absent if the notification did not name it. */
  connectionId?: string | undefined;
  pollIntervals?: PollIntervalsName | undefined;
}

/** The types of the reads of one resource. */
interface ReadTypes {
  snapshot: ResourceSnapshot;
  watch: WatchArgs;
}

export interface Fetchers<T extends ReadTypes> {
  resource: ProviderResource;
  fetchSnapshot: (reader: Reader, ref: Ref) => Promise<Fetched<T['snapshot']>>;
  /** One poll of a watch. @returns undefined if it found no news. By default, any other state is news. */
  poll?: (
    fetch: () => Promise<Fetched<T['snapshot']>>,
    watch: T['watch'],
    reader: Reader,
  ) => Promise<Fetched<T['snapshot']> | undefined>;
}

/** Creates the reads of one resource. Each throws an ApplicationFailure with a `CallCode`. `watch` and `adopt` also throw `nothing_new` with the time of the next attempt. */
export function readActivities<T extends ReadTypes>(
  deps: Dependencies,
  { resource, fetchSnapshot: fetch, poll = pollState }: Fetchers<T>,
) {
  const fetchSnapshot: typeof fetch = async (reader, ref) => {
    const fetched = await fetch(reader, ref);
    countState(resource, fetched.snapshot.state);
    return fetched;
  };
  return {
    lookUp: (ref: Ref): Promise<Fetched<T['snapshot']>> => asRead(() => fetchSnapshot(deps, ref)),

    /** Null if the provider does not know the uid. */
    find: (ref: Ref): Promise<Fetched<T['snapshot']> | null> =>
      asRead(() =>
        fetchSnapshot(deps, ref).catch((error: unknown) => {
          if (error instanceof PaymentsApiError && error.code === 'not_found') return null;
          throw error;
        }),
      ),

    /** Each attempt polls once. If nothing is new, the attempt fails, and Temporal retries it after the poll interval. */
    watch: async (watch: T['watch']): Promise<Fetched<T['snapshot']>> => {
      const news = await asRead(() => poll(() => fetchSnapshot(deps, watch), watch, deps));
      if (news !== undefined) return news;
      throw nothingYet(watch.pollIntervals, `the provider still shows ${watch.snapshotState}`);
    },

    /** Searches the named connection, or all of them. If none has the resource, Temporal retries after the poll interval for adoption. */
    adopt: async ({ uid, connectionId, pollIntervals }: AdoptArgs) =>
      findOwner(
        connectionId === undefined ? await connectionsOf(deps) : [{ id: connectionId, hasConsent: true }],
        (owner) => fetchSnapshot(deps, { uid, connectionId: owner }),
        pollIntervals,
      ),
  };
}

const pollState = async <Snapshot extends ResourceSnapshot>(
  fetch: () => Promise<Fetched<Snapshot>>,
  { snapshotState }: WatchArgs,
): Promise<Fetched<Snapshot> | undefined> => {
  const fetched = await fetch();
  return fetched.snapshot.state === snapshotState ? undefined : fetched;
};

/** Reads with heartbeats. @throws an ApplicationFailure with a `CallCode`. */
export const asRead = <T>(work: () => Promise<T>): Promise<T> =>
  withHeartbeats(work).catch((error: unknown) => {
    throw readFailure(error);
  });
