// What a workflow supplies about a resource that it follows at the provider, and how a snapshot of it is applied. rules.ts has the rules of the
// steps, submission/ what happens until the provider has it. Plain JSON and pure.
import { LAST_DOUBT, judgeSnapshot, type Ends } from './judge-snapshot.js';
import {
  foldedOf,
  isLookUpStillDue,
  isSettled,
  openQuestions,
  storeFact,
  flagUnrecognised,
  type Ref,
  type ResourceState,
  type ResourceTypes,
} from './state.js';
import { disownFacts } from './others.js';
import { isUidOfAnother, markOpen, parkDifference } from './submission/state.js';
import type { WatchArgs } from '../../activities/resource/read.js';
import type { Lifecycle } from '../../domain/facts/fold.js';
import type { Fetched, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Calls } from '../engine/runtime.js';
import type { Submitted } from './submission/rules.js';

/** What ends a watch: another state than the last one shown. A kind of resource may add more. */
export type WatchedChange = Omit<WatchArgs, keyof Ref>;

/** What a workflow supplies about a resource that the provider can be asked for. */
export interface Followed<T extends ResourceTypes> extends Submitted<T>, Ends {
  lifecycle: Lifecycle<string>;
  /** Whether the provider keeps a history of the resource. If not, snapshots are the only source. */
  hasHistory: boolean;
  /** Null if the provider does not have it. */
  find(call: Calls, ref: Ref, state: T['state']): Promise<Fetched<T['snapshot']> | null>;
  lookUp(call: Calls, ref: Ref): Promise<Fetched<T['snapshot']>>;
  watch(call: Calls, watched: Ref & WatchedChange): Promise<Fetched<T['snapshot']>>;
  /** The JSON pointers at which the provider's resource differs from our request. */
  differences(state: T['state'], fetched: Fetched<T['snapshot']>): string[];
  /** Handles these differences. By default, the submission is parked. */
  handleDifferences?(
    state: T['state'],
    now: Instant,
    paths: string[],
    fetched: Fetched<T['snapshot']>,
  ): T['state'];
  /** Stores the fields of a snapshot that this kind of workflow needs. */
  applySnapshot(state: T['state'], fetched: Fetched<T['snapshot']>): T['state'];
  /** Applies what the provider answered: `applyFetched`, and what only this kind of resource adds. @param requested as there. */
  apply(state: T['state'], fetched: Fetched<T['snapshot']>, requested?: readonly string[]): T['state'];
}

/** The due look-up, if any. A requested one starts at once, whatever delay applies to automatic ones. */
export const dueLookUp = (
  lifecycle: Lifecycle<string>,
  state: ResourceState,
): { do: 'look_up'; doubts: number } | undefined =>
  !isUidOfAnother(state) && (state.isLookUpDue !== false || !isSettled(lifecycle, state))
    ? { do: 'look_up', doubts: state.isLookUpDue === false ? state.doubts : 0 }
    : undefined;

/**
 * Whether the workflow may end: the state is final, nothing is in flight, no question is open, and no look-up is due. A requested look-up that is
 * blocked, for example by missing consent, is not waited for: the merchant may have left for good.
 */
export function isOver({ lifecycle, isFinal }: Ends, state: ResourceState): boolean {
  const { stage } = state.submission;
  if (stage !== 'open') return stage === 'unknown';
  if (!isFinal(foldedOf(lifecycle, state).state)) return false;
  const isLookUpDue = state.isLookUpDue !== false && state.blocked === undefined;
  return isUidOfAnother(state) || (isSettled(lifecycle, state) && !isLookUpDue);
}

/** Applies a snapshot. @param requested the ids of the questions that were open when the fetch started. Without it, the snapshot covers all questions. */
export function applyFetched<T extends ResourceTypes>(
  kind: Followed<T>,
  before: T['state'],
  fetched: Fetched<T['snapshot']>,
  requested?: readonly string[],
): T['state'] {
  const { snapshot, history, fetchedAt } = fetched;
  if (isUidOfAnother(before)) return before;
  const paths = kind.differences(before, fetched);
  const isLookUpDue = isLookUpStillDue(before);
  if (paths.length > 0) {
    const own = before.isProven === true ? before : disownFacts(before);
    const answered: T['state'] = { ...own, isLookUpDue, isDoubtful: undefined, doubts: 0 };
    return (
      kind.handleDifferences?.(answered, fetchedAt, paths, fetched) ??
      parkDifference(answered, fetchedAt, kind.noun, paths)
    );
  }
  const received = applyHistory(kind.lifecycle, before, fetched);
  const absorbed: T['state'] = {
    ...markOpen(kind.applySnapshot(received, fetched)),
    isLookUpDue,
    isProven: true,
  };
  const judged = judgeSnapshot(
    kind,
    absorbed,
    { snapshot, fetchedAt },
    {
      explains: (id) => !kind.hasHistory || history.some((fact) => fact.id === id),
      covers: (id) => requested === undefined || requested.includes(id),
    },
  );
  // A snapshot that disagrees may not be believed at once. Until then the doubt remains.
  const isAgreed = foldedOf(kind.lifecycle, judged).state === snapshot.state;
  return isAgreed ? { ...judged, isDoubtful: undefined } : judged;
}

/** The snapshot predates the latest submission and cannot explain it. Open questions are looked up again with backoff. */
export const applyNoNews = <State extends ResourceState>(
  lifecycle: Lifecycle<string>,
  before: State,
  snapshotState: string,
): State => ({
  ...before,
  snapshotState,
  isLookUpDue: isLookUpStillDue(before),
  doubts: openQuestions(lifecycle, before).length === 0 ? 0 : Math.min(before.doubts + 1, LAST_DOUBT),
});

/** Stores new facts of the history, and flags types and states that this release does not know. */
function applyHistory<State extends ResourceState>(
  lifecycle: Lifecycle<string>,
  before: State,
  { snapshot: { state: snapshotState }, history, fetchedAt }: Fetched<ResourceSnapshot>,
): State {
  const received = history.reduce((state, fact) => {
    const next = storeFact(state, fact);
    return next === state ? state : flagUnrecognised(lifecycle, next, { ...fact, receivedAt: fetchedAt });
  }, before);
  if (snapshotState === before.snapshotState) return received;
  return flagUnrecognised(lifecycle, received, {
    type: 'observed',
    state: snapshotState,
    receivedAt: fetchedAt,
  });
}
