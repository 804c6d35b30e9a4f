// The stored state of every resource at the provider: facts, the questions they leave open, attention flags. Plain JSON and pure.
import { addFact, inOrder, isBefore, isPublished, type Fact, type Instant } from '../../domain/facts/fact.js';
import { fold, isUnrecognised, type Entered, type Folded, type Lifecycle } from '../../domain/facts/fold.js';
import { truncateFact } from '../../domain/facts/retention.js';
import { addDropped, isDropped } from '../../domain/facts/dropped-hashes.js';
import { raise, type Attention } from '../../domain/attention/flags.js';
import { raiseFlag } from '../engine/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { KeyRegister } from '../../domain/commands/key-use.js';
import type { Blocked, Denials } from './blocked.js';
import type { Refusal, ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { Recorded } from '../engine/recording.js';

/** How often hints about one resource may cause a look-up. */
const HINT_INTERVAL_MS = 60_000;

/**
 * `ready`: not at the provider. `sending`: in flight. `sent`: the provider may or may not have it. `open`: the provider has it or has refused it.
 * `parked`: an operator must decide. `adopting`: a notification named it, but we did not create it. `unknown`: the provider does not have it
 * either.
 */
export type Stage = 'ready' | 'sending' | 'sent' | 'open' | 'parked' | 'adopting' | 'unknown';

export type ParkedFor = 'difference' | 'absence' | 'unknown_again';

export interface Submission {
  stage: Stage;
  /** How often it was sent. */
  count: number;
  /** When it was last sent, by our clock. */
  sentAt?: Instant | undefined;
  /** It is ready again after a wait, so its permission may be outdated. */
  hasWaited?: true | undefined;
  /** It is ready, and waits until payments resume. */
  isStopped?: true | undefined;
  /** How many times in a row the provider did not have it since the last submission. */
  absences: number;
  /** When a look-up last did not find it. */
  absentAt?: Instant | undefined;
  /** When the outcome of the latest submission became unknown. */
  unknownSince?: Instant | undefined;
  /** How many submissions in a row had no effect, and when the next one may be sent. */
  pauses: number;
  notBefore?: Instant | undefined;
  /** A refusal that an earlier submission of ours may have caused. We believe it once the provider is known not to have the resource. */
  doubtedRefusal?: Refusal | undefined;
  /** One look-up without it confirms the refusal, because nothing of ours was sent before. */
  confirmsOnce?: true | undefined;
  /** The provider already had it, and we send it again by a call that we must not repeat. Only newer facts prove that the provider took it. */
  again?: { /** Facts published up to this time prove nothing. */ after: Instant } | undefined;
  /** Why it is parked: another resource has the uid, the resource is absent after several submissions, or a repeat brought no news. */
  parkedFor?: ParkedFor | undefined;
}

export interface ResourceState<LifecycleState extends string = string> extends KeyRegister, Recorded {
  uid: string;
  /** The connection that owns it. Absent while unknown. */
  connectionId?: string | undefined;
  /** The provider's own id. Known only for resources that the provider creates without our uid, once it has answered. */
  providerId?: string | undefined;
  /** How far its creation at the provider has come. */
  submission: Submission;
  /** The state that dropped facts led to, and how it was entered. */
  start: LifecycleState;
  entered?: Entered | undefined;
  facts: Fact[];
  /** Hashes of the newest dropped ids (domain/facts/dropped-hashes.ts). */
  droppedHashes?: string[] | undefined;
  /** The newest event from before `droppedUntil`, or the newest hint. It is not folded, but the records store it. */
  unplaced?: Fact[] | undefined;
  /** When the hint was received that last caused a look-up. */
  hintedAt?: Instant | undefined;
  /** When the newest dropped fact that counted was published, by the provider's clock. A new event from before has no certain place. */
  droppedUntil?: Instant | undefined;
  /** Open questions, by id, that the latest look-up could have explained but did not. */
  unexplained?: string[] | undefined;
  /** How many snapshots in a row left a question open. */
  doubts: number;
  /** A caller, a sweep or a deadline requested a look-up. `begun` while it runs: a request during that time makes another one due. */
  isLookUpDue: boolean | 'begun';
  /** We consider it ended, but since then the provider has reported otherwise. */
  contradictedSince?: Instant | undefined;
  /** We reopened it although the provider itself had published its end. An operator must decide which is right. */
  isContested?: true | undefined;
  /** A snapshot has shown it to be ours. */
  isProven?: true | undefined;
  /** The provider has another resource under this uid, for good. Ours was given up. */
  isAnothers?: true | undefined;
  /** An open question was dropped, or an old fact that may end the resource was not folded. The state is in doubt until the provider answers. */
  isDoubtful?: true | undefined;
  /** Its last run has left no state, so it continues from its row. What the provider does not have is never sent. */
  isLost?: true | undefined;
  /** Another one may have had its uid before: the records were away (unchecked.ts). */
  isUnchecked?: true | undefined;
  /** Another one had its uid before, and an operator has not decided yet. What was not sent yet, is not sent. */
  isTaken?: true | undefined;
  /** The state in the latest snapshot. */
  snapshotState?: string | undefined;
  attention: Attention[];
  /** A reopened run does not end before this time. */
  openUntil?: Instant | undefined;
  /** Why the provider is not called now. */
  blocked?: Blocked | undefined;
  denials?: Denials | undefined;
  awaiting: Awaiting;
}

/** The types of one kind of resource. */
export interface ResourceTypes {
  state: ResourceState;
  snapshot: ResourceSnapshot;
}

/** The first state of a run. An adopted resource was not created here: an event named it, and the provider is searched for it. */
export const newResourceState = <LifecycleState extends string>(
  given: Pick<ResourceState<LifecycleState>, 'uid' | 'connectionId' | 'start'>,
  now: Instant,
  isAdopted = false,
): ResourceState<LifecycleState> => ({
  ...given,
  submission: newSubmission(isAdopted ? 'adopting' : 'ready'),
  awaiting: { what: isAdopted ? 'look-up' : 'provider-acceptance', since: now },
  facts: [],
  doubts: 0,
  isLookUpDue: false,
  attention: [],
});

export const newSubmission = (stage: 'ready' | 'adopting'): Submission => ({
  stage,
  count: 0,
  absences: 0,
  pauses: 0,
});

/** A look-up starts. Its answer serves all requests made so far, and none made later. */
export const markLookUpStarted = <State extends Pick<ResourceState, 'isLookUpDue'>>(state: State): State =>
  state.isLookUpDue === true ? { ...state, isLookUpDue: 'begun' } : state;

/** The provider answered. A look-up is still due only if it was requested after this one had started. */
export const isLookUpStillDue = ({ isLookUpDue }: Pick<ResourceState, 'isLookUpDue'>): boolean =>
  isLookUpDue === true;

/** All raised flags, including the one that blocks the workflow. */
export function attentionOf({
  attention,
  blocked,
}: Pick<ResourceState, 'attention' | 'blocked'>): Attention[] {
  if (blocked === undefined) return attention;
  const { code, since, detail, next } = blocked;
  return raise(attention, { code, since, detail, next });
}

/** A fact received for another connection counts only after a look-up of our own confirms it. */
export const withoutForeignAuthority = (state: Pick<ResourceState, 'connectionId'>, fact: Fact): Fact =>
  isForeign(state, fact) ? { ...fact, authenticated: false } : fact;

/** True if the fact was received for another connection. */
export const isForeign = (
  { connectionId }: Pick<ResourceState, 'connectionId'>,
  { namedConnectionId }: Fact,
): boolean => namedConnectionId !== undefined && namedConnectionId !== connectionId;

/** True if only a secret of another connection proves the fact. Then it is a hint: any merchant can send it about any resource. */
export const isHint = (
  { connectionId }: Pick<ResourceState, 'connectionId'>,
  { provenConnectionId }: Fact,
): boolean => provenConnectionId !== undefined && provenConnectionId !== connectionId;

/** A hint has no place among the facts. The records store it, and it causes at most one look-up a minute. */
function storeHint<State extends ResourceState>(state: State, hint: Fact): State {
  const unplaced = [truncateFact({ ...hint, authenticated: false })];
  const sinceMs = Math.abs(Date.parse(hint.receivedAt) - Date.parse(state.hintedAt ?? ''));
  if (sinceMs < HINT_INTERVAL_MS || hint.causesNoLookUp === true || hint.isChecked === true)
    return { ...state, unplaced };
  return { ...state, unplaced, hintedAt: hint.receivedAt, isLookUpDue: true };
}

/**
 * Stores a fact once. Returns the same state if it is known. A new event from before `droppedUntil` is not folded, because that might undo later
 * ones. A pushed one causes a look-up. One from a history arrived with a look-up anyway. An authenticated event from after `droppedUntil` counts
 * even if an unauthenticated copy of it was dropped.
 */
export function storeFact<State extends ResourceState>(state: State, received: Fact): State {
  if (isHint(state, received)) return storeHint(state, received);
  const fact = withoutForeignAuthority(state, received);
  if (state.facts.every(({ id }) => id !== fact.id)) {
    const isOld = isFromDroppedPeriod(state, fact);
    if (isOld && fact.source === 'history') return state;
    const isCertain = !isOld && fact.authenticated && isPublished(fact);
    if (!isCertain && isDropped(state.droppedHashes, fact.id)) return state;
    if (isOld) {
      const droppedHashes = addDropped(state.droppedHashes, [fact.id]);
      // A fact that does not apply to our resource is already checked, and needs no look-up.
      const isLookUpDue = fact.isChecked === true ? state.isLookUpDue : true;
      return { ...state, droppedHashes, unplaced: [truncateFact(fact)], isLookUpDue };
    }
  }
  const { facts, isNew } = addFact(state.facts, fact);
  return isNew
    ? { ...state, facts: facts.map((one) => (one.id === fact.id ? truncateFact(one) : one)) }
    : state;
}

/** Whether the provider published it before or at `droppedUntil`, or may have. */
export const isFromDroppedPeriod = (
  { droppedUntil }: Pick<ResourceState, 'droppedUntil'>,
  fact: Fact,
): boolean => droppedUntil !== undefined && isPublished(fact) && !isBefore(droppedUntil, fact.publishedAt);

/** The state that all facts lead to. It folds all facts each time, so do not call it in a loop over thousands. */
export const foldedOf = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  { start, facts, entered }: ResourceState<LifecycleState>,
): Folded<LifecycleState> => fold(lifecycle, start, facts, entered);

/** The ids of facts that need a look-up and have not had one. */
export function openQuestions(lifecycle: Lifecycle<string>, state: ResourceState): string[] {
  const { conflicts, needingLookUp, unknown, unconfirmed } = foldedOf(lifecycle, state);
  const open = [...conflicts, ...needingLookUp, ...unknown, ...unconfirmed];
  const checked = new Set(state.facts.filter(({ isChecked }) => isChecked).map(({ id }) => id));
  return open.filter((id) => !checked.has(id));
}

/** True if no open question needs a look-up. */
export const isSettled = (lifecycle: Lifecycle<string>, state: ResourceState): boolean =>
  openQuestions(lifecycle, state).length === 0 && state.doubts === 0;

/** A time right after all known facts, by the provider's clock. `otherwise` if there are none. */
export function afterAllFacts({ facts }: Pick<ResourceState, 'facts'>, otherwise: Instant): Instant {
  const last = inOrder(facts).at(-1)?.publishedAt;
  return last === undefined ? otherwise : new Date(Date.parse(last) + 1).toISOString();
}

/** Raises a flag for an event type or a state that this release does not know. Only an operator resolves it: a look-up cannot explain the value. */
export const flagUnrecognised = <State extends ResourceState>(
  lifecycle: Lifecycle<string>,
  state: State,
  { type, state: lifecycleState, receivedAt }: Pick<Fact, 'type' | 'state' | 'receivedAt'>,
): State =>
  isUnrecognised(lifecycle, { type, state: lifecycleState })
    ? raiseFlag(state, 'unrecognised', receivedAt, {
        detail: `The provider ${type === 'observed' ? `showed the state ${lifecycleState}` : `reported ${type}`}, which this release does not know.`,
        next: 'Nothing is lost: we store it and look the resource up. Find its meaning in the provider’s documentation, act on it if necessary, and report it so that a release can support it. For an agreement, then resolve this flag.',
      })
    : state;

/** When the latest fact was published, by the provider's clock. */
export const lastFactAt = ({ facts }: Pick<ResourceState, 'facts'>): Instant | undefined =>
  inOrder(facts).at(-1)?.publishedAt;

/** The connection that owns it. @throws Error if it is unknown. That can happen only during adoption, which does not call this. */
export function ownerOf({ uid, connectionId }: Pick<ResourceState, 'uid' | 'connectionId'>): string {
  if (connectionId === undefined)
    throw new Error(
      `the connection of ${uid} is unknown; expected adoption to have found it before any call`,
    );
  return connectionId;
}

/** A resource of the provider, and the connection that owns it. */
export interface Ref {
  uid: string;
  connectionId: string;
  /** The provider's own id. Known only for resources that the provider creates without our uid, once it has answered. */
  providerId?: string | undefined;
}

/** The reference for calls. @throws Error while the connection is unknown. */
export const refOf = (state: Pick<ResourceState, 'uid' | 'connectionId' | 'providerId'>): Ref => ({
  uid: state.uid,
  connectionId: ownerOf(state),
  ...(state.providerId !== undefined && { providerId: state.providerId }),
});
