// What all resources at the provider share: the first steps, the end, and how a snapshot is applied. Each workflow adds its own part as a
// `ResourceDefinition`. rules.ts has the rules for the steps. Plain JSON and pure.
import { LAST_DOUBT, settle } from './settle.js';
import type { Ends } from './settle.js';
import {
  foldedOf,
  isLookUpStillDue,
  isSettled,
  openQuestions,
  ownerOf,
  storeFact,
  flagUnrecognised,
} from './state.js';
import { disownFacts, isUidOfAnother } from './others.js';
import { markOpen, parkDifference } from './submission.js';
import type { AdoptArgs, WatchArgs } from '../../activities/resource/read.js';
import type { Lifecycle } from '../../domain/facts/fold.js';
import type { Fetched, Refusal, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Calls } from '../engine/runtime.js';
import type { StayOpenStep } from './reopened.js';
import type { ResourceState } from './state.js';

/** A resource of the provider, and the connection that owns it. */
export interface Ref {
  uid: string;
  connectionId: string;
  /** The provider's own id. Known only for resources that the provider creates without our uid, once it has answered. */
  providerId?: string | undefined;
}

/** The reference for calls. @throws Error while the connection is unknown. */
export const refOf = (state: Pick<ResourceState<string>, 'uid' | 'connectionId' | 'providerId'>): Ref => ({
  uid: state.uid,
  connectionId: ownerOf(state),
  ...(state.providerId !== undefined && { providerId: state.providerId }),
});

/** What ends a watch: another state than the last one shown, or a new event of the awaited types. */
export type WatchedChange = Omit<WatchArgs, keyof Ref>;

/** What a workflow supplies for its kind of resource. */
export interface ResourceDefinition<
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
> {
  noun: string;
  lifecycle: Lifecycle<LifecycleState>;
  /** Whether the provider keeps a history of the resource. If not, snapshots are the only source. */
  hasHistory: boolean;
  /** `accepted`: the provider took it, and its answer contains no snapshot. */
  submit(call: Calls, state: State): Promise<Fetched<Snapshot> | 'accepted'>;
  /** Null if the provider does not have it. */
  find(call: Calls, ref: Ref, state: State): Promise<Fetched<Snapshot> | null>;
  lookUp(call: Calls, ref: Ref): Promise<Fetched<Snapshot>>;
  watch(call: Calls, watched: Ref & WatchedChange): Promise<Fetched<Snapshot>>;
  adopt(call: Calls, of: AdoptArgs): Promise<Fetched<Snapshot> & { owner: string }>;
  /** Whether the snapshot may show the state before the latest submission. By default, none does. */
  showsBefore?(state: State, fetched: Fetched<Snapshot>): boolean;
  /** The JSON pointers at which the provider's resource differs from our request. */
  differences(state: State, fetched: Fetched<Snapshot>): string[];
  /** Handles these differences. By default, the submission is parked. */
  handleDifferences?(state: State, now: Instant, paths: string[], fetched: Fetched<Snapshot>): State;
  /** Whether the state is final: we stop following the resource. */
  isFinal(state: LifecycleState): boolean;
  /** Set if a submission can become outdated or forbidden. */
  sending?: Sending<State>;
  /** Records that the provider refused to create it. */
  recordRefusal(state: State, now: Instant, refusal: Refusal): State;
  /** Stores the fields of a snapshot that this kind of workflow needs. */
  applySnapshot(state: State, fetched: Fetched<Snapshot>): State;
  /** Runs after a snapshot was settled. */
  afterSettling?(state: State): State;
}

/** When a resource may still be sent. */
export interface Sending<State> {
  /** The last moment to send it. */
  until(state: State): Instant | undefined;
  /** Why it may no longer be sent, apart from time, as a clause. Undefined if it may. */
  blockedBy(state: State): string | undefined;
  /** Records the end of a resource that may no longer be sent and never was. */
  neverSent(state: State, now: Instant): State;
  /** If an earlier run, before a reset, may have sent it: the state that looks it up first. Undefined if it cannot have been sent. */
  searched(state: State, now: Instant): State | undefined;
}

export type ResourceStep =
  | { do: 'submit' }
  | { do: 'pause'; until: Instant }
  | { do: 'resolve'; count: number; absences: number }
  | { do: 'adopt' }
  | { do: 'look_up'; doubts: number }
  | { do: 'await_consent' }
  | { do: 'await_access'; until: Instant }
  | { do: 'await_operator' }
  | StayOpenStep;

/** The resource step that precedes all steps of the workflow itself. Undefined once the provider has the resource and may be called. */
export function nextResourceStep(state: ResourceState<string>): ResourceStep | undefined {
  const { submission, blocked, isLookUpDue } = state;
  const { stage, count, absences, notBefore } = submission;
  const isParked = stage === 'parked';
  // An absent resource may be looked up again. A different resource under our uid needs an operator.
  if (isParked && (isLookUpDue === false || isUidOfAnother(state))) return { do: 'await_operator' };
  if (blocked?.until !== undefined) return { do: 'await_access', until: blocked.until };
  if (blocked !== undefined) return { do: 'await_consent' };
  if (stage === 'adopting') return { do: 'adopt' };
  if (stage === 'ready' && notBefore !== undefined) return { do: 'pause', until: notBefore };
  if (stage === 'ready' || stage === 'sending') return { do: 'submit' };
  if (stage === 'sent' || isParked) return { do: 'resolve', count, absences };
  return undefined;
}

/** The due look-up, if any. A requested one starts at once, whatever delay applies to automatic ones. */
export const dueLookUp = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): (ResourceStep & { do: 'look_up' }) | undefined =>
  !isUidOfAnother(state) && (state.isLookUpDue !== false || !isSettled(lifecycle, state))
    ? { do: 'look_up', doubts: state.isLookUpDue === false ? state.doubts : 0 }
    : undefined;

/**
 * Whether the workflow may end: the state is final, nothing is in flight, no question is open, and no look-up is due. A requested look-up that is
 * blocked, for example by missing consent, is not waited for: the merchant may have left for good.
 */
export function isOver<LifecycleState extends string>(
  { lifecycle, isFinal }: Ends<LifecycleState>,
  state: ResourceState<LifecycleState>,
): boolean {
  const { stage } = state.submission;
  if (stage !== 'open') return stage === 'unknown';
  if (!isFinal(foldedOf(lifecycle, state).state)) return false;
  const isLookUpDue = state.isLookUpDue !== false && state.blocked === undefined;
  return isUidOfAnother(state) || (isSettled(lifecycle, state) && !isLookUpDue);
}

/** Applies a snapshot. @param requested the ids of the questions that were open when the fetch started. Without it, the snapshot covers all questions. */
export function applyFetched<
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
>(
  kind: ResourceDefinition<LifecycleState, State, Snapshot>,
  before: State,
  fetched: Fetched<Snapshot>,
  requested?: readonly string[],
): State {
  const { snapshot, history, fetchedAt } = fetched;
  if (isUidOfAnother(before)) return before;
  if (kind.showsBefore?.(before, fetched) === true)
    return recordNoNews(kind.lifecycle, before, snapshot.state);
  const paths = kind.differences(before, fetched);
  const isLookUpDue = isLookUpStillDue(before);
  if (paths.length > 0) {
    const own = before.isProven === true ? before : disownFacts(before);
    const answered = { ...own, isLookUpDue, isDoubtful: undefined, doubts: 0 };
    return (
      kind.handleDifferences?.(answered, fetchedAt, paths, fetched) ??
      parkDifference(answered, fetchedAt, kind.noun, paths)
    );
  }
  const received = recordHistory(kind.lifecycle, before, fetched);
  const absorbed: State = {
    ...markOpen(kind.applySnapshot(received, fetched)),
    isLookUpDue,
    isProven: true,
  };
  const settled = settle(
    kind,
    absorbed,
    { snapshot, fetchedAt },
    {
      explains: (id) => !kind.hasHistory || history.some((fact) => fact.id === id),
      covers: (id) => requested === undefined || requested.includes(id),
    },
  );
  // A snapshot that disagrees may not be believed at once. Until then the doubt remains.
  const isAgreed = foldedOf(kind.lifecycle, settled).state === snapshot.state;
  const judged = isAgreed ? { ...settled, isDoubtful: undefined } : settled;
  return kind.afterSettling?.(judged) ?? judged;
}

/** The snapshot predates the latest submission and cannot explain it. Open questions are looked up again with backoff. */
const recordNoNews = <LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  lifecycle: Lifecycle<LifecycleState>,
  before: State,
  snapshotState: string,
): State => ({
  ...before,
  snapshotState,
  isLookUpDue: isLookUpStillDue(before),
  doubts: openQuestions(lifecycle, before).length === 0 ? 0 : Math.min(before.doubts + 1, LAST_DOUBT),
});

/** Stores new facts of the history, and flags types and states that this release does not know. */
function recordHistory<LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  lifecycle: Lifecycle<LifecycleState>,
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
