// What is alike for everything that is followed at the provider: what it asks for first, when it is over, and how a snapshot of it
// is taken in. A workflow gives what is its own (`ResourceDefinition`); rules.ts has the rows for its table. Plain JSON and pure.
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
import type { AdoptArgs, WatchArgs } from '../../../activities/resource/read.js';
import type { Lifecycle } from '../../../domain/facts/fold.js';
import type { Fetched, Refusal, ResourceSnapshot } from '../../../domain/facts/snapshot.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Calls } from '../engine/runtime.js';
import type { StayOpenStep } from './reopened.js';
import type { ResourceState } from './state.js';

/** Which of the provider's resources, and on whose account. */
export interface Ref {
  uid: string;
  connectionId: string;
  /** Its id there, where the provider takes no uid of ours and has said which. */
  providerId?: string | undefined;
}

/** @throws Error while the connection is not known. */
export const refOf = (state: Pick<ResourceState<string>, 'uid' | 'connectionId' | 'providerId'>): Ref => ({
  uid: state.uid,
  connectionId: ownerOf(state),
  ...(state.providerId !== undefined && { providerId: state.providerId }),
});

/** What a watch waits for: another state than the one shown, or one of the events that would be news though the state stays. */
export type WatchedChange = Omit<WatchArgs, keyof Ref>;

/** What is a workflow's own. */
export interface ResourceDefinition<
  LifecycleState extends string,
  State extends ResourceState<LifecycleState>,
  Snapshot extends ResourceSnapshot,
> {
  noun: string;
  lifecycle: Lifecycle<LifecycleState>;
  /** Whether the provider keeps a history of it; where it does not, a snapshot is all that it ever says. */
  hasHistory: boolean;
  /** `accepted`: taken, and the answer shows nothing of it. */
  submit(call: Calls, state: State): Promise<Fetched<Snapshot> | 'accepted'>;
  /** Null where the provider says that it does not have it. */
  find(call: Calls, ref: Ref, state: State): Promise<Fetched<Snapshot> | null>;
  lookUp(call: Calls, ref: Ref): Promise<Fetched<Snapshot>>;
  watch(call: Calls, watched: Ref & WatchedChange): Promise<Fetched<Snapshot>>;
  adopt(call: Calls, of: AdoptArgs): Promise<Fetched<Snapshot> & { owner: string }>;
  /** Whether it shows what was before the newest submission, as far as can be known; without it nothing does. */
  showsBefore?(state: State, fetched: Fetched<Snapshot>): boolean;
  /** The paths at which what the provider has is not what was asked for. */
  differences(state: State, fetched: Fetched<Snapshot>): string[];
  /** What becomes of it then; parked where the workflow does not say. */
  handleDifferences?(state: State, now: Instant, paths: string[], fetched: Fetched<Snapshot>): State;
  /** Whether nothing more is awaited of what is in this state. */
  isFinal(state: LifecycleState): boolean;
  /** Given for what may not be sent for ever. */
  sending?: Sending<State>;
  /** The provider has refused to create it. */
  recordRefusal(state: State, now: Instant, refusal: Refusal): State;
  /** What the workflow itself keeps of a snapshot. */
  applySnapshot(state: State, fetched: Fetched<Snapshot>): State;
  /** What follows from a snapshot that has been settled. */
  afterSettling?(state: State): State;
}

/** Until when, and while what holds, a thing may be sent. */
export interface Sending<State> {
  /** Not after this. */
  until(state: State): Instant | undefined;
  /** Why it may not be sent any more, as a clause, whatever the time; known only after it was asked for. */
  blockedBy(state: State): string | undefined;
  /** What becomes of it where it may not be sent any more and never was. */
  neverSent(state: State, now: Instant): State;
  /** What a run that was reset may have sent, to be asked for before it is taken for unsent; nothing where none can have. */
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

/** What comes before anything of the workflow's own; nothing once the provider is known to have it and may be called. */
export function nextResourceStep(state: ResourceState<string>): ResourceStep | undefined {
  const { submission, blocked, isLookUpDue } = state;
  const { stage, count, absences, notBefore } = submission;
  const isParked = stage === 'parked';
  // What the provider did not have may be asked for again; what it has under our uid and is not ours is for an operator.
  if (isParked && (isLookUpDue === false || isUidOfAnother(state))) return { do: 'await_operator' };
  if (blocked?.until !== undefined) return { do: 'await_access', until: blocked.until };
  if (blocked !== undefined) return { do: 'await_consent' };
  if (stage === 'adopting') return { do: 'adopt' };
  if (stage === 'ready' && notBefore !== undefined) return { do: 'pause', until: notBefore };
  if (stage === 'ready' || stage === 'sending') return { do: 'submit' };
  if (stage === 'sent' || isParked) return { do: 'resolve', count, absences };
  return undefined;
}

/** The look-up that is due, if one is: at once where it was asked for, however long the next one would wait by itself. */
export const dueLookUp = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): (ResourceStep & { do: 'look_up' }) | undefined =>
  !isUidOfAnother(state) && (state.isLookUpDue !== false || !isSettled(lifecycle, state))
    ? { do: 'look_up', doubts: state.isLookUpDue === false ? state.doubts : 0 }
    : undefined;

/**
 * It is over, nothing of it is on its way, and nothing that is known says otherwise. Where only consent could bring a last snapshot
 * about, that is not waited for: the merchant may be long gone.
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

/**
 * The state once this snapshot has been taken in.
 * @param requested the questions, by id, that were open when it began to be fetched; without them it is taken to cover every one.
 */
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
  // A snapshot that disagrees may not be believed at once; until then it ends no doubt.
  const isAgreed = foldedOf(kind.lifecycle, settled).state === snapshot.state;
  const judged = isAgreed ? { ...settled, isDoubtful: undefined } : settled;
  return kind.afterSettling?.(judged) ?? judged;
}

/** It says nothing of what was sent since. What it does not explain is looked up again, ever later. */
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

/** What was new in the history, and whether anything is new to this release. */
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
