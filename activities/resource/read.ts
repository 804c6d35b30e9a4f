// The reads that the workflow of any followed resource makes: look up, find, watch, adopt. Given how its snapshot is fetched.
import { isBefore } from '../../domain/facts/fact.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { countState } from '../attempts/counted.js';
import { nothingYet, readFailure } from '../failure.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { connectionsOf, findOwner } from './find-owner.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PollIntervalsName } from '../../domain/time/poll-intervals.js';
import type { Resource } from '../../domain/facts/lifecycles.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Dependencies } from '../dependencies.js';
import type { Reader, Ref } from './snapshot.js';

export interface WatchArgs extends Ref {
  pollIntervals: PollIntervalsName;
  /** The state that the resource is known to show: any other is news. */
  snapshotState: string;
  /** From then on that one is news as well: what was shown before may be shown again. */
  snapshotStateUntil?: Instant | undefined;
  /** Events that are awaited, though the state may stay as it is: of these types, and not from before `after`. */
  answers?:
    { types: readonly string[]; receivedIds: readonly string[]; after?: Instant | undefined } | undefined;
}

export interface AdoptArgs {
  uid: string;
  /** Absent where the notification did not say. */
  connectionId?: string | undefined;
  pollIntervals?: PollIntervalsName | undefined;
}

export interface Fetchers<Snapshot extends ResourceSnapshot> {
  resource: Resource;
  fetchSnapshot: (reader: Reader, ref: Ref) => Promise<Fetched<Snapshot>>;
  /** What a poll in vain costs; absent where the snapshot itself costs no more. */
  fetchState?: (reader: Reader, ref: Ref) => Promise<string>;
  /** Whether a state is no news where another is known; where left out, none but the same is. */
  showsTheSame?: ShowsTheSame;
}

type ShowsTheSame = (state: string, before: string) => boolean;
const isTheSame: ShowsTheSame = (state, before) => state === before;

/** The reads of one resource. Each throws an ApplicationFailure with a `CallCode`; `watch` and `adopt` also `nothing_new`, with the time of the next attempt. */
export function readActivities<Snapshot extends ResourceSnapshot>(
  deps: Dependencies,
  { resource, fetchSnapshot: fetch, fetchState, showsTheSame }: Fetchers<Snapshot>,
) {
  const fetchSnapshot: typeof fetch = async (reader, ref) => {
    const fetched = await fetch(reader, ref);
    countState(resource, fetched.snapshot.state);
    return fetched;
  };
  const asRead = <T>(work: () => Promise<T>): Promise<T> =>
    withHeartbeats(work).catch((error: unknown) => {
      throw readFailure(error);
    });
  const isQuiet = async (watch: WatchArgs): Promise<boolean> =>
    // Some answers leave the state as it is, and only the history has them.
    watch.answers === undefined &&
    fetchState !== undefined &&
    (await fetchState(deps, watch)) === watch.snapshotState;
  return {
    lookUp: (ref: Ref): Promise<Fetched<Snapshot>> => asRead(() => fetchSnapshot(deps, ref)),

    /** Null where the provider says that it does not have the uid. */
    find: (ref: Ref): Promise<Fetched<Snapshot> | null> =>
      asRead(() =>
        fetchSnapshot(deps, ref).catch((error: unknown) => {
          if (error instanceof PaymentsApiError && error.code === 'not_found') return null;
          throw error;
        }),
      ),

    /** Each attempt asks once. Nothing new fails the attempt, and Temporal makes the next one when the poll intervals say. */
    watch: async (watch: WatchArgs): Promise<Fetched<Snapshot>> => {
      const fetched = await asRead(async () =>
        (await isQuiet(watch)) ? undefined : fetchSnapshot(deps, watch),
      );
      if (fetched !== undefined && isNews(fetched, watch, showsTheSame)) return fetched;
      throw nothingYet(watch.pollIntervals, `the provider still shows ${watch.snapshotState}`);
    },

    /** On the named connection, or on each. While none has it, the attempt fails, and the poll intervals for adoption say when the next one is. */
    adopt: async ({ uid, connectionId, pollIntervals }: AdoptArgs) =>
      findOwner(
        connectionId === undefined ? await connectionsOf(deps) : [{ id: connectionId, hasConsent: true }],
        (owner) => fetchSnapshot(deps, { uid, connectionId: owner }),
        pollIntervals,
      ),
  };
}

/** Whether a snapshot has what is awaited. */
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
