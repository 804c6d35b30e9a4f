// The reads of every followed resource: look up, find, watch and adopt.
import { isBefore } from '../../domain/facts/fact.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { countState } from '../attempts/counted.js';
import { nothingYet, readFailure } from '../failure.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { connectionsOf, findOwner } from './find-owner.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PollIntervalsName } from '../../domain/time/poll-intervals.js';
import type { ProviderResource } from '../../domain/resources.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Dependencies } from '../dependencies.js';
import type { Reader, Ref } from './snapshot.js';

export interface WatchArgs extends Ref {
  pollIntervals: PollIntervalsName;
  /** The known state of the resource. Any other state is news. */
  snapshotState: string;
  /** From this time on, the same state is news too, because the resource may have returned to it. */
  snapshotStateUntil?: Instant | undefined;
  /** Awaited events of these types, not published before `after`. They may leave the state unchanged. */
  answers?:
    { types: readonly string[]; receivedIds: readonly string[]; after?: Instant | undefined } | undefined;
}

export interface AdoptArgs {
  uid: string;
  /** Absent if the notification did not name it. */
  connectionId?: string | undefined;
  pollIntervals?: PollIntervalsName | undefined;
}

export interface Fetchers<Snapshot extends ResourceSnapshot> {
  resource: ProviderResource;
  fetchSnapshot: (reader: Reader, ref: Ref) => Promise<Fetched<Snapshot>>;
  /** A cheaper read for polls that find nothing; absent if the snapshot is as cheap. */
  fetchState?: (reader: Reader, ref: Ref) => Promise<string>;
  /** Whether a state counts as the known state. The default is equality. */
  showsTheSame?: ShowsTheSame;
}

type ShowsTheSame = (state: string, before: string) => boolean;
const isTheSame: ShowsTheSame = (state, before) => state === before;

/** Creates the reads of one resource. Each throws an ApplicationFailure with a `CallCode`. `watch` and `adopt` also throw `nothing_new` with the time of the next attempt. */
export function readActivities<Snapshot extends ResourceSnapshot>(
  deps: Dependencies,
  { resource, fetchSnapshot: fetch, fetchState, showsTheSame }: Fetchers<Snapshot>,
) {
  const fetchSnapshot: typeof fetch = async (reader, ref) => {
    const fetched = await fetch(reader, ref);
    countState(resource, fetched.snapshot.state);
    return fetched;
  };
  const isQuiet = async (watch: WatchArgs): Promise<boolean> =>
    // Some awaited events leave the state unchanged and appear only in the history.
    watch.answers === undefined &&
    fetchState !== undefined &&
    (await fetchState(deps, watch)) === watch.snapshotState;
  return {
    lookUp: (ref: Ref): Promise<Fetched<Snapshot>> => asRead(() => fetchSnapshot(deps, ref)),

    /** Null if the provider does not know the uid. */
    find: (ref: Ref): Promise<Fetched<Snapshot> | null> =>
      asRead(() =>
        fetchSnapshot(deps, ref).catch((error: unknown) => {
          if (error instanceof PaymentsApiError && error.code === 'not_found') return null;
          throw error;
        }),
      ),

    /** Each attempt polls once. If nothing is new, the attempt fails, and Temporal retries it after the poll interval. */
    watch: async (watch: WatchArgs): Promise<Fetched<Snapshot>> => {
      const fetched = await asRead(async () =>
        (await isQuiet(watch)) ? undefined : fetchSnapshot(deps, watch),
      );
      if (fetched !== undefined && isNews(fetched, watch, showsTheSame)) return fetched;
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

/** Reads with heartbeats. @throws an ApplicationFailure with a `CallCode`. */
export const asRead = <T>(work: () => Promise<T>): Promise<T> =>
  withHeartbeats(work).catch((error: unknown) => {
    throw readFailure(error);
  });

/** Whether a snapshot contains the awaited change. */
export const isNews = (
  { snapshot, history, fetchedAt }: Fetched<ResourceSnapshot>,
  {
    snapshotState,
    snapshotStateUntil,
    answers,
  }: Pick<WatchArgs, 'snapshotState' | 'snapshotStateUntil' | 'answers'>,
  showsTheSame = isTheSame,
): boolean =>
  !showsTheSame(snapshot.state, snapshotState) ||
  (snapshotStateUntil !== undefined && fetchedAt >= snapshotStateUntil) ||
  history.some(
    ({ id, publishedAt, type }) =>
      answers?.types.includes(type) === true &&
      !(answers.after !== undefined && isBefore(publishedAt, answers.after)) &&
      !answers.receivedIds.includes(id),
  );
